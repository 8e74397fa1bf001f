import { resolve } from 'node:path'
import { ConfigError, type EnvReader, readSettings as readFrom } from '@figbase/kit/config'
import { readDatabaseDirectUrl, readDatabaseUrl } from '@figbase/kit/db'
import { readShutdownTimeout, readStopSettings } from '@figbase/kit/operations'
import { readServerCheckTimeout } from '@figbase/kit/settings'
import { Failure } from './failure.js'

/** The settings of the launcher; the gateway and the services read their own. */
export const readLauncherSettings = (env: EnvReader) => ({
  dataDir: env.text('FIGBASE_DATA_DIR', '.figbase', 'the data directory'),
  host: env.text('HOST', '127.0.0.1', 'the address to listen on'),
  port: env.port('PORT', 8000, 'the port to listen on; 0: the system chooses one'),
  ...readDatabase(env),
  shutdownTimeoutMs: readShutdownTimeout(env),
  serverCheckTimeoutMs: readServerCheckTimeout(env),
  ...readStopSettings(env),
  debug: env.text('FIGBASE_DEBUG', '', '`1`: prints stack traces'),
})

function readDatabase(env: EnvReader) {
  const databaseUrl = readDatabaseUrl(env)
  const databaseDirectUrl = readDatabaseDirectUrl(env)
  if (databaseDirectUrl && !databaseUrl) {
    env.problems.push('DATABASE_DIRECT_URL requires DATABASE_URL: set both or neither')
  }
  return { databaseUrl, databaseDirectUrl }
}

export type Settings = Omit<ReturnType<typeof readLauncherSettings>, 'debug'> & { debug: boolean }

/** A relative data directory is resolved from the current directory; the default is in the repository. */
export function readSettings(env: NodeJS.ProcessEnv, cwd: string, root: string): Settings {
  try {
    const settings = readFrom(env, readLauncherSettings)
    const dataDir = resolve(env.FIGBASE_DATA_DIR ? cwd : root, settings.dataDir)
    return { ...settings, dataDir, debug: isDebug(env) }
  } catch (error) {
    if (error instanceof ConfigError) throw new Failure(error.message)
    throw error
  }
}

export const isDebug = (env: NodeJS.ProcessEnv) => !['', '0', undefined].includes(env.FIGBASE_DEBUG)
