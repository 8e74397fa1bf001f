import { type Kysely, sql } from 'kysely'
import { createDb, createPool } from '../db/pool.js'
import { createLogger } from '../log.js'
import type { EventRecord } from './event.js'
import { wakeAllHeads } from './parked.js'

/** An event that a consumer could not handle, for an operator to read. */
export type DeadLetter = {
  /** `<service>.<consumer>` */
  consumer: string
  event: EventRecord
  attempts: number
  /** The stack of the last failure. */
  error: string
  /** When it failed for the first time, and for the last. */
  parkedOn: string
  diedOn: string
}

/** The dead letters of services in one database; of one event where its id is given. */
export type DeadLetters = AsyncDisposable & {
  /** The newest first, 1000 at most of each service. */
  list(eventId?: string): Promise<DeadLetter[]>
  /**
   * Has the consumers try again, the running ones within a second. A replayed event comes after
   * those of its key that went on without it. Answers how many there were.
   */
  replay(eventId?: string): Promise<number>
}

type Db = Kysely<unknown>

const listMax = 1000

export function openDeadLetters(databaseUrl: string, services: string[]): DeadLetters {
  const log = createLogger('dead-letters', 'silent')
  const pool = createPool({ url: databaseUrl, schema: 'public', connectionsMax: 1, log })
  const db = createDb<unknown>(pool)
  const withLetters = async () => {
    const { rows } = await sql<{ service: string }>`select service
      from unnest(${services}::text[]) service
     where to_regclass(quote_ident(service) || '.dead_letter') is not null`.execute(db)
    return rows.map((row) => row.service)
  }
  return {
    async list(eventId) {
      const letters: DeadLetter[] = []
      for (const service of await withLetters()) {
        letters.push(...(await listLetters(db, service, eventId)))
      }
      return letters.sort((a, b) => (a.diedOn < b.diedOn ? 1 : -1))
    },
    async replay(eventId) {
      let count = 0
      for (const service of await withLetters()) count += await replayLetters(db, service, eventId)
      return count
    },
    [Symbol.asyncDispose]: () => pool.end(),
  }
}

async function listLetters(db: Db, service: string, eventId: string | null = null) {
  const { rows } = await sql<DeadLetter>`select ${`${service}.`} || consumer as consumer,
      message as event, attempts, error, parked_on::text as "parkedOn", died_on::text as "diedOn"
    from ${sql.id(service, 'dead_letter')}
   where ${eventId}::uuid is null or event_id = ${eventId}
   order by died_on desc limit ${listMax}`.execute(db)
  return rows
}

async function replayLetters(db: Db, service: string, eventId: string | null = null) {
  const { numAffectedRows } = await sql`with gone as (
      delete from ${sql.id(service, 'dead_letter')}
       where ${eventId}::uuid is null or event_id = ${eventId}
      returning consumer, message, died_on)
    insert into ${sql.id(service, 'parked')} (consumer, key, message)
    select consumer, message ->> 'key', message from gone order by died_on`.execute(db)
  await wakeAllHeads(db, service)
  return Number(numAffectedRows ?? 0)
}
