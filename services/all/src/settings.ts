import { resolve } from 'node:path'
import { Failure } from './failure.js'

export type Settings = {
  dataDir: string
  port: number
  databaseUrl?: string
  shutdownTimeoutMs: number
  debug: boolean
}

/** The launcher's own settings; the services read theirs. All that is wrong is reported at once. */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string, root: string): Settings {
  const problems: string[] = []
  const settings = {
    dataDir: resolve(cwd, env.FIGBASE_DATA_DIR || resolve(root, '.figbase')),
    port: readPort(env.PORT || '8000', problems),
    shutdownTimeoutMs: readDuration(env.SHUTDOWN_TIMEOUT || '30s', problems),
    debug: isDebug(env),
    ...(env.DATABASE_URL && { databaseUrl: env.DATABASE_URL }),
  }
  if (problems.length > 0) throw new Failure(problems.join('; '))
  return settings
}

export const isDebug = (env: NodeJS.ProcessEnv) => !['', '0', undefined].includes(env.FIGBASE_DEBUG)

function readPort(text: string, problems: string[]): number {
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) problems.push(`PORT: '${text}' is not a port`)
  return port
}

const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000 }

function readDuration(text: string, problems: string[]): number {
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(text) ?? []
  const factor = units[unit ?? '']
  if (amount !== undefined && factor !== undefined) return Number(amount) * factor
  problems.push(`SHUTDOWN_TIMEOUT: '${text}' is not a duration such as 30s, 500ms or 2m`)
  return 0
}
