import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { createDb, createPool } from '../db/pool.js'
import { type Database, pastPooler } from '../db/reach.js'
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

/** The dead letters of services; of one event where its id is given. */
export type DeadLetters = AsyncDisposable & {
  /** The newest first, 1000 at most of each service. */
  list(eventId?: string): Promise<DeadLetter[]>
  /**
   * Has the consumers try again, the running ones within twenty seconds. A replayed event comes after
   * those of its key that went on without it. Answers how many there were.
   */
  replay(eventId?: string): Promise<number>
}

type Db = Kysely<unknown>

const listMax = 1000

/** `databaseOf` says where a service has its own. */
export async function openDeadLetters(
  databaseOf: (service: string) => Promise<Database>,
  services: string[],
): Promise<DeadLetters> {
  const log = createLogger('dead-letters', 'silent')
  const pools = new Map<string, pg.Pool>()
  for (const service of services) {
    const { url, isPooled } = pastPooler(await databaseOf(service))
    pools.set(service, createPool({ url, isPooled, schema: service, connectionsMax: 1, log }))
  }
  const withLetters = async () => {
    const found: { service: string; db: Db }[] = []
    for (const [service, pool] of pools) {
      const { rows } = await pool.query(`select where to_regclass($1) is not null`, [
        `"${service}".dead_letter`,
      ])
      if (rows.length > 0) found.push({ service, db: createDb<unknown>(pool) })
    }
    return found
  }
  return {
    async list(eventId) {
      const letters: DeadLetter[] = []
      for (const { service, db } of await withLetters()) {
        letters.push(...(await listLetters(db, service, eventId)))
      }
      return letters.sort((a, b) => (a.diedOn < b.diedOn ? 1 : -1))
    },
    async replay(eventId) {
      let count = 0
      for (const { service, db } of await withLetters()) {
        count += await replayLetters(db, service, eventId)
      }
      return count
    },
    async [Symbol.asyncDispose]() {
      for (const pool of pools.values()) await pool.end()
    },
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
