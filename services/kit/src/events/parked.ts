import { sql } from 'kysely'
import type { AnyTransaction, EventRecord } from './event.js'

type Queries = Pick<AnyTransaction, 'getExecutor'>

/** Sets an event aside; without `delayMs` it waits behind the others of its key. */
export async function insertParked(
  db: Queries,
  consumer: string,
  event: EventRecord,
  failed?: { error: string; delayMs: number },
): Promise<void> {
  const delay = failed ? `${failed.delayMs} milliseconds` : null
  await sql`insert into parked (consumer, key, message, attempts, error, run_at)
    values (${consumer}, ${event.key}, ${JSON.stringify(event)}::json, ${failed ? 1 : 0},
            ${failed?.error ?? ''}, now() + ${delay}::interval)`.execute(db)
}

/**
 * Lets the first of each key run when nothing of the key does. To be called after the commit of
 * whatever puts an event behind others or takes the first away: each of the two sees the other.
 */
export async function wakeHeads(db: Queries, consumer: string, keys: string[]): Promise<void> {
  await sql`update parked p set run_at = now()
    from unnest(${keys}::text[]) k(key),
         lateral (select id from parked where consumer = ${consumer} and key = k.key
                   order by id limit 1) head
   where p.id = head.id and p.run_at is null`.execute(db)
}

/** The same for every key: after a crash between a commit and its `wakeHeads`. */
export async function wakeAllHeads(db: Queries, schema?: string): Promise<void> {
  const parked = schema === undefined ? sql.id('parked') : sql.id(schema, 'parked')
  await sql`update ${parked} set run_at = now() where run_at is null
    and id in (select min(id) from ${parked} group by consumer, key)`.execute(db)
}
