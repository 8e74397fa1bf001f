import { sql } from 'kysely'
import type { AnyTransaction, EventRecord } from './event.js'

type Queries = Pick<AnyTransaction, 'getExecutor'>

/** Parks an event: a failed one until its retry, any other behind the parked events of its key. */
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
 * Makes the first parked event of each key due if no event of the key is. Call it after the commit of any change that
 * parks an event behind others or removes the first: of two concurrent changes, the later call sees both.
 */
export async function wakeHeads(db: Queries, consumer: string, keys: string[]): Promise<void> {
  await sql`update parked p set run_at = now()
    from unnest(${keys}::text[]) k(key),
         lateral (select id from parked where consumer = ${consumer} and key = k.key
                   order by id limit 1) head
   where p.id = head.id and p.run_at is null`.execute(db)
}

/** Does the same for every key: recovers from a crash between a commit and its `wakeHeads`. */
export async function wakeAllHeads(db: Queries, schema?: string): Promise<void> {
  const parked = schema === undefined ? sql.id('parked') : sql.id(schema, 'parked')
  await sql`update ${parked} set run_at = now() where run_at is null
    and id in (select min(id) from ${parked} group by consumer, key)`.execute(db)
}
