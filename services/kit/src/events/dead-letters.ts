import { type Kysely, sql } from 'kysely'
import type { EventRecord } from './event.js'
import { wakeAllHeads } from './parked.js'

/** An event that a consumer could not handle, for an operator to read. */
export type DeadLetter = {
  consumer: string
  event: EventRecord
  attempts: number
  /** The stack of the last failure. */
  error: string
  /** When it first failed, and for the last time. */
  parkedOn: string
  diedOn: string
}

// biome-ignore lint/suspicious/noExplicitAny: of whichever service
type AnyDb = Kysely<any>

const listMax = 1000

/** The newest first, 1000 at most; of one event if its id is given. */
export async function listDeadLetters(
  db: AnyDb,
  service: string,
  eventId?: string,
): Promise<DeadLetter[]> {
  const { rows } = await sql<DeadLetter>`select consumer, message as event, attempts, error,
      parked_on::text as "parkedOn", died_on::text as "diedOn"
    from ${tableOf(service, 'dead_letter')}
   where ${eventId ?? null}::uuid is null or event_id = ${eventId ?? null}
   order by died_on desc limit ${listMax}`.execute(db)
  return rows
}

/**
 * Lets consumers try again: one event, or all. A replayed event comes after those of its key that
 * went on without it. Answers how many.
 */
export async function replayDeadLetters(
  db: AnyDb,
  service: string,
  eventId?: string,
): Promise<number> {
  // Who has nothing of the key parked takes it up at once, the others after what is parked.
  const { numAffectedRows } = await sql`with gone as (
      delete from ${tableOf(service, 'dead_letter')}
       where ${eventId ?? null}::uuid is null or event_id = ${eventId ?? null}
      returning consumer, message, died_on)
    insert into ${tableOf(service, 'parked')} (consumer, key, message)
    select consumer, message ->> 'key', message from gone order by died_on`.execute(db)
  await wakeAllHeads(db, service)
  return Number(numAffectedRows ?? 0)
}

/** Whether the service has ever had events in this database. */
export async function hasDeadLetters(db: AnyDb, service: string): Promise<boolean> {
  const { rows } = await sql<{ is_there: boolean }>`
    select to_regclass(${`${service}.dead_letter`}) is not null as is_there`.execute(db)
  return rows[0]?.is_there ?? false
}

const tableOf = (service: string, table: string) => sql.id(service, table)
