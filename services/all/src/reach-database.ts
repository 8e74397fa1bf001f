import { ConfigError, type Database, reachDatabase } from '@figbase/kit'
import { Failure } from './failure.js'
import type { Settings } from './settings.js'

/** The service as whose role the launcher itself comes, where each has its own. */
export const launcherService = 'identity'

/** The database of DATABASE_URL as `service` reaches it; says what is wrong where it does not. */
export async function reachExternal(settings: Settings, service: string): Promise<Database> {
  try {
    return await reachDatabase(settings, service, settings.serverCheckTimeoutMs)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new Failure(
      error.message,
      'Mend the setting, or leave it out: Figbase brings a PostgreSQL of its own.',
      { cause: error },
    )
  }
}
