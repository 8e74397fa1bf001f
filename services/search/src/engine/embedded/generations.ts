import { statement } from '@figbase/kit/db'
import { type Kysely, sql } from 'kysely'
import type { Database, Db, Tx } from '../../db/schema.js'
import type { Generation } from '../port.js'

/**
 * The words are stored apart from their row, so that the rows of many matches are in few pages. Workers would take
 * longer to start than these take to read.
 */
const options = sql`toast_tuple_target = 128, parallel_workers = 0`
const lockTimeoutMs = 10_000

/** Creates the partitions of a generation, if they do not exist. */
export async function createPartitions(
  db: Kysely<Database>,
  generation: Generation,
): Promise<void> {
  await changePartitions(db, async (tx) => {
    const values = sql`for values in (${sql.lit(generation)})`
    await sql`create table if not exists ${nameOf('entry', generation)} partition of entry ${values}
      with (${options})`.execute(tx)
    await sql`create table if not exists ${nameOf('word', generation)} partition of word ${values}`.execute(
      tx,
    )
  })
}

export async function dropPartitions(db: Kysely<Database>, generation: Generation): Promise<void> {
  await changePartitions(db, async (tx) => {
    if ((await liveGeneration(tx)) === generation)
      throw new Error(`generation ${generation} is live`)
    await sql`drop table if exists ${nameOf('entry', generation)}`.execute(tx)
    await sql`drop table if exists ${nameOf('word', generation)}`.execute(tx)
  })
}

const nameOf = (table: string, generation: Generation) => sql.id(`${table}_${generation}`)

/** `if not exists` can still fail if two processes pass its check concurrently. */
async function changePartitions(db: Kysely<Database>, change: (tx: Tx) => Promise<void>) {
  await db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('figbase search partitions'))`.execute(tx)
    await change(tx)
  })
}

const current = statement<{ generation: Generation }>('select generation from live_index')

export async function liveGeneration(db: Db): Promise<Generation | undefined> {
  return (await current(db))[0]?.generation
}

const published = statement<never>(`
  insert into live_index (generation) values ($1::int)
  on conflict (is_only) do update set generation = excluded.generation`)

/** Makes a generation the live one, with statistics for the plans of its queries. */
export async function publishPartitions(
  db: Kysely<Database>,
  generation: Generation,
): Promise<void> {
  if ((await liveGeneration(db)) === generation) return
  await sql`analyze ${nameOf('entry', generation)}`.execute(db)
  await sql`analyze ${nameOf('word', generation)}`.execute(db)
  await published(db, generation)
}
