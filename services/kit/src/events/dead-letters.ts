import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { createDb, createPool } from '../db/pool.js'
import { bypassPooler, type Database } from '../db/resolve-database.js'
import { createLogger } from '../log.js'
import type { EventRecord } from './event.js'
import { wakeAllHeads } from './parked.js'

/** An event that a consumer could not handle, kept for an operator. */
export type DeadLetter = {
  /** `<service>.<consumer>` */
  consumer: string
  event: EventRecord
  attempts: number
  /** Stack of the last failure. */
  error: string
  /** Times of the first and the last failure. */
  parkedOn: string
  diedOn: string
}

/** The dead letters of several services; `eventId` selects those of one event. */
export type DeadLetters = AsyncDisposable & {
  /** Newest first, at most 1000 per service. */
  list(eventId?: string): Promise<DeadLetter[]>
  /**
   * Returns dead letters to their consumers, which retry within 20 s. A replayed event is handled after later events of
   * its key. Returns the number of dead letters.
   */
  replay(eventId?: string): Promise<number>
}

type Db = Kysely<unknown>

const listMax = 1000

/** `databaseOf` resolves the database of a service. */
export async function openDeadLetters(
  databaseOf: (service: string) => Promise<Database>,
  services: string[],
): Promise<DeadLetters> {
  const log = createLogger('dead-letters', 'silent')
  const pools = new Map<string, pg.Pool>()
  for (const service of services) {
    const { url, isPooled } = bypassPooler(await databaseOf(service))
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

const replayLetters = (db: Db, service: string, eventId?: string) =>
  replayDeadLetters(db, eventId ? { eventId, consumer: null } : null, service)

/** The dead letters of an event; of all consumers if it is null. */
export type LetterKey = { eventId: string; consumer: string | null }

/** Without a key, all. Returns the number of those found. */
export async function replayDeadLetters(
  db: Db,
  key: LetterKey | null,
  schema?: string,
): Promise<number> {
  const table = (name: string) => (schema === undefined ? sql.id(name) : sql.id(schema, name))
  const { numAffectedRows } = await sql`with gone as (
      delete from ${table('dead_letter')} where ${hasKey(key)} returning consumer, message, died_on)
    insert into ${table('parked')} (consumer, key, message)
    select consumer, message ->> 'key', message from gone order by died_on`.execute(db)
  await wakeAllHeads(db, schema)
  return Number(numAffectedRows ?? 0)
}

/** Without a key, all. Returns the number of those found. */
export async function deleteDeadLetters(db: Db, key: LetterKey | null): Promise<number> {
  const { numAffectedRows } = await sql`delete from dead_letter where ${hasKey(key)}`.execute(db)
  return Number(numAffectedRows ?? 0)
}

function hasKey(key: LetterKey | null) {
  if (!key) return sql`true`
  const { eventId, consumer } = key
  return sql`event_id = ${eventId}::uuid and (${consumer}::text is null or consumer = ${consumer})`
}

export type ListedLetter = {
  event_id: string
  consumer: string
  event: string
  key: string
  attempts: number
  error: string
  died_on: string
}

/** Oldest first, after a letter. Uses dead_letter_died_idx. */
export async function listDeadLetters(
  db: Db,
  limit: number,
  after?: Pick<ListedLetter, 'died_on' | 'event_id' | 'consumer'>,
): Promise<ListedLetter[]> {
  const later = after
    ? sql`(died_on, event_id, consumer) > (${after.died_on}::timestamptz, ${after.event_id}::uuid, ${after.consumer})`
    : sql`true`
  const { rows } = await sql<ListedLetter>`
    select event_id, consumer, message ->> 'name' as event, message ->> 'key' as key, attempts, error, died_on
      from dead_letter where ${later} order by died_on, event_id, consumer limit ${limit}`.execute(
    db,
  )
  return rows
}
