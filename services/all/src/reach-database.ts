import { ConfigError } from '@figbase/kit/config'
import { type Database, resolveDatabase } from '@figbase/kit/db'
import { Failure } from './failure.js'
import type { Settings } from './settings.js'

/** The service whose role the launcher uses, when each service has its own role. */
export const launcherService = 'identity'

/** Connects to DATABASE_URL as `service`; throws a Failure with the reason when that fails. */
export async function reachExternal(settings: Settings, service: string): Promise<Database> {
  try {
    return await resolveDatabase(settings, service, settings.serverCheckTimeoutMs)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw new Failure(
      error.message,
      'Correct the setting, or unset it to use the built-in PostgreSQL.',
      { cause: error },
    )
  }
}
