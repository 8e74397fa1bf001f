import type { Logger } from '../../log.js'
import { connectNatsBus } from './nats.js'
import type { Bus } from './port.js'
import { createPostgresBus } from './postgres.js'

/** NATS where the settings name one, PostgreSQL elsewhere. */
export function openBus(
  { databaseUrl, events }: { databaseUrl: string; events: { natsUrl: string } },
  log: Logger,
): Promise<Bus> {
  if (events.natsUrl) return connectNatsBus({ url: events.natsUrl, log })
  return Promise.resolve(createPostgresBus({ url: databaseUrl, log }))
}
