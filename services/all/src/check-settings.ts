import { EnvReader, type Setting } from '@figbase/kit/config'
import { Failure } from './failure.js'
import { settingReaders } from './settings-table.js'

type Reader = (env: EnvReader) => unknown
export type Checked = { problems: string[]; settings: Setting[] }

/** Reads all settings as at startup, and those of `others`; each problem begins with the name of the setting. */
export function readAllSettings(env: NodeJS.ProcessEnv, others: Reader[] = []): Checked {
  const { DATABASE_URL, DATABASE_DIRECT_URL, FIGBASE_SECRET_KEY, COMPUTE_LOCAL_DIR } = env
  // Placeholders: without these settings, startup uses the data directory.
  const reader = new EnvReader({
    ...env,
    DATABASE_URL: DATABASE_URL || (DATABASE_DIRECT_URL ? '' : 'postgres://built-in'),
    FIGBASE_SECRET_KEY: FIGBASE_SECRET_KEY || 'of the data directory',
    COMPUTE_LOCAL_DIR: COMPUTE_LOCAL_DIR || 'in the data directory',
  })
  for (const read of [...settingReaders, ...others]) read(reader)
  return { problems: [...new Set(reader.problems)], settings: reader.settings }
}

/** Validates all settings before anything is started; throws one Failure that lists all problems. */
export function requireSettings(env: NodeJS.ProcessEnv): void {
  const { problems } = readAllSettings(env)
  if (problems.length > 0) throw new Failure(problems.join('\n'))
}
