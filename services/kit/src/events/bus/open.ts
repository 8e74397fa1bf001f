import type { Logger } from '../../log.js'
import type { Bus } from './port.js'
import { createPostgresBus } from './postgres.js'

/** NATS where the settings name one, PostgreSQL elsewhere. */
export async function openBus(
  { databaseUrl, events }: { databaseUrl: string; events: { natsUrl: string } },
  log: Logger,
): Promise<Bus> {
  if (!events.natsUrl) return createPostgresBus({ url: databaseUrl, log })
  // Loaded only where it is used: a start without it is faster.
  const { connectNatsBus } = await import('./nats.js')
  return connectNatsBus({ url: events.natsUrl, log })
}
