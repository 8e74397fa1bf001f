import type { Database } from '../../db/resolve-database.js'
import type { Logger } from '../../log.js'
import { localWakeSignalsOf } from './local-wake-signals.js'
import type { Bus } from './port.js'
import { createPostgresBus } from './postgres.js'

/** The bus on NATS if configured, else on PostgreSQL. */
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
    const wakeSignals = localWakeSignalsOf(database.url)
    return createPostgresBus({ database, migrates: settings.migrateAtStart, log, wakeSignals })
  }
  // Loaded on demand, for a faster startup without NATS.
  const { connectNatsBus } = await import('./nats.js')
  return connectNatsBus({ url: events.natsUrl, connectTimeoutMs, log })
}
