import { resolve } from 'node:path'
import {
  ConfigError,
  type EnvReader,
  readDatabaseDirectUrl,
  readDatabaseUrl,
  readSettings as readFrom,
  readServerCheckTimeout,
  readShutdownTimeout,
  readStopSettings,
} from '@figbase/kit'
import { Failure } from './failure.js'

/** The launcher's own settings; the gateway and the services read theirs. */
export const readLauncherSettings = (env: EnvReader) => ({
  dataDir: env.text('FIGBASE_DATA_DIR', '.figbase', 'where everything is kept'),
  host: env.text('HOST', '127.0.0.1', 'the address on which people reach Figbase'),
  port: env.port('PORT', 8000, 'its port; 0: the system chooses'),
  ...readDatabase(env),
  shutdownTimeoutMs: readShutdownTimeout(env),
  serverCheckTimeoutMs: readServerCheckTimeout(env),
  ...readStopSettings(env),
  debug: env.text('FIGBASE_DEBUG', '', '`1`: shows where an error comes from'),
})

function readDatabase(env: EnvReader) {
  const databaseUrl = readDatabaseUrl(env)
  const databaseDirectUrl = readDatabaseDirectUrl(env)
  if (databaseDirectUrl && !databaseUrl) {
    env.problems.push('DATABASE_DIRECT_URL: it is set, and DATABASE_URL is not: set both, or none')
  }
  return { databaseUrl, databaseDirectUrl }
}

export type Settings = Omit<ReturnType<typeof readLauncherSettings>, 'debug'> & { debug: boolean }

/** A relative data directory is below the current one; the default is in the repository. */
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
