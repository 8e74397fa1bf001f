import { statement } from '@figbase/kit/db'
import type { Db, Tx } from '../db/schema.js'

const inserted = statement<{ id: string }>(
  'insert into provider_event (id) values ($1) on conflict do nothing returning id',
)

/** False when the event was received before. */
export async function insertProviderEvent(tx: Tx, id: string): Promise<boolean> {
  return (await inserted(tx, id)).length > 0
}

const removed = statement<never>(
  "delete from provider_event where received_on < now() - interval '90 days' and $1",
)

/** Providers send no event again after so long. Uses provider_event_received_idx. */
export async function deleteOldEvents(db: Db): Promise<void> {
  await removed(db, true)
}
