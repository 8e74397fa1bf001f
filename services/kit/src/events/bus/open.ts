import type { Database } from '../../db/reach.js'
import type { Logger } from '../../log.js'
import { localBellsOf } from './local-bells.js'
import type { Bus } from './port.js'
import { createPostgresBus } from './postgres.js'

/** NATS where the settings name one, PostgreSQL elsewhere. */
export async function openBus(
  database: Database,
  settings: {
    events: { natsUrl: string }
    serverCheckTimeoutMs: number
    migrateAtStart: boolean
  },
  log: Logger,
): Promise<Bus> {
  const { events, serverCheckTimeoutMs: connectTimeoutMs } = settings
  if (!events.natsUrl) {
    const bells = localBellsOf(database.url)
    return createPostgresBus({ database, migrates: settings.migrateAtStart, log, bells })
  }
  // Loaded only where it is used: a start without it is faster.
  const { connectNatsBus } = await import('./nats.js')
  return connectNatsBus({ url: events.natsUrl, connectTimeoutMs, log })
}
