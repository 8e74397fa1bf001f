import { EnvReader, type Setting } from '@figbase/kit'
import { Failure } from './failure.js'
import { settingReaders } from './settings-table.js'

type Reader = (env: EnvReader) => unknown
export type Checked = { problems: string[]; settings: Setting[] }

/** Reads every setting as starts do, and those of `besides`; each problem begins with the setting's name. */
export function readAllSettings(env: NodeJS.ProcessEnv, besides: Reader[] = []): Checked {
  const { DATABASE_URL, DATABASE_DIRECT_URL, FIGBASE_SECRET_KEY } = env
  // What starts without them get from the data directory.
  const reader = new EnvReader({
    ...env,
    DATABASE_URL: DATABASE_URL || (DATABASE_DIRECT_URL ? '' : 'postgres://built-in'),
    FIGBASE_SECRET_KEY: FIGBASE_SECRET_KEY || 'of the data directory',
  })
  for (const read of [...settingReaders, ...besides]) read(reader)
  return { problems: [...new Set(reader.problems)], settings: reader.settings }
}

/** Before anything is started; throws one Failure that names all that is malformed. */
export function requireSettings(env: NodeJS.ProcessEnv): void {
  const { problems } = readAllSettings(env)
  if (problems.length > 0) throw new Failure(problems.join('\n'))
}
