import { statement } from '../db/statement.js'
import type { AnyTransaction, EventRecord } from './event.js'

export type Entries = { days: string[]; ids: string[]; keys: string[]; consumer: string }

export const entriesOf = (consumer: string, events: EventRecord[]): Entries => ({
  days: events.map((event) => event.at.slice(0, 10)),
  ids: events.map((event) => event.id),
  keys: events.map((event) => event.key),
  consumer,
})

/** SQL condition: other events of the key are parked. */
export const isBehindParked = (key: string): string =>
  `exists (select from parked p where p.consumer = :consumer and p.key = ${key})`

/** SQL that inserts the events of `e` into the inbox and returns the new ones. */
export const insertInboxSql = (where = 'true'): string => `
  insert into inbox (day, event_id, consumer) select day, event_id, :consumer from e where ${where}
  on conflict do nothing returning event_id`

const insertEntries = statement<{ event_id: string; is_behind: boolean }, Entries>(`
  with e as (
    select * from unnest(:days::date[], :ids::uuid[], :keys::text[]) as e (day, event_id, key)
  ), fresh as (
    ${insertInboxSql()}
  )
  select distinct event_id, ${isBehindParked('e.key')} as is_behind from fresh join e using (event_id)`)

/**
 * Inserts events into the inbox. Returns the new ones in order, and whether they must wait behind parked events of
 * their key.
 */
export async function insertIntoInbox(
  tx: AnyTransaction,
  consumer: string,
  events: EventRecord[],
): Promise<{ event: EventRecord; isBehindParked: boolean }[]> {
  const rows = await insertEntries(tx, entriesOf(consumer, events))
  const fresh = new Map(rows.map((row) => [row.event_id, row.is_behind]))
  return events.flatMap((event) => {
    const isBehindParked = fresh.get(event.id)
    // A batch may contain an event twice.
    fresh.delete(event.id)
    return isBehindParked === undefined ? [] : [{ event, isBehindParked }]
  })
}
