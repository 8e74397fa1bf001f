import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Migration, migrate } from '../src/db/migrate.js'
import { createPool } from '../src/db/pool.js'
import { createLogger } from '../src/log.js'
import { createTestDatabase } from '../src/testing/index.js'

const first: Migration = { name: '0001-thing', sql: 'create table thing (id int, n int)' }
const widened: Migration = { name: '0002-wider', sql: 'alter table thing add column wide int' }
const indexed: Migration = {
  name: '0003-index',
  inTransaction: false,
  sql: 'create index concurrently thing_n_idx on thing (n)',
}

/** A database with the first migration, a pool that migrates, and a session that holds what it likes. */
async function open() {
  const database = await createTestDatabase()
  const log = createLogger('test', 'silent')
  const pool = createPool({ url: database.url, schema: 'thing', connectionsMax: 3, log })
  const holder = new pg.Client(database.url)
  await holder.connect()
  await migrate(pool, 'thing', [first])
  return {
    pool,
    holder,
    applied: async () => {
      const { rows } = await pool.query<{ name: string }>('select name from migration order by 1')
      return rows.map(({ name }) => name)
    },
    async [Symbol.asyncDispose]() {
      await holder.end()
      await pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

/** When those who wait for a lock began to: each attempt of a migration has its own time. */
async function waitingSince(holder: pg.Client): Promise<string | undefined> {
  const { rows } = await holder.query<{ since: string }>(
    `select waitstart::text as since from pg_locks
      where not granted and mode = 'AccessExclusiveLock' and waitstart is not null`,
  )
  return rows[0]?.since
}

test('a migration that does not get its lock lets the others through, and tries again', async () => {
  await using at = await open()
  const { pool, holder } = at
  await holder.query('begin')
  await holder.query('select from thing.thing')
  const options = { lockTimeoutMs: 50, lockPauseMs: 20, lockAttemptsMax: 1_000_000 }
  const migrating = migrate(pool, 'thing', [first, widened], options)
  const attempts = new Set<string>()
  while (attempts.size < 3) {
    const since = await waitingSince(holder)
    if (since) attempts.add(since)
    await sleep(5)
  }
  // It would wait behind the migration.
  await pool.query('insert into thing values (1, 1)')
  assert.deepEqual(await at.applied(), ['0001-thing'])
  await holder.query('commit')
  await migrating
  assert.deepEqual(await at.applied(), ['0001-thing', '0002-wider'])
})

test('after so many attempts it fails, is named, and nothing of it is there', async () => {
  await using at = await open()
  const { pool, holder } = at
  await holder.query('begin')
  await holder.query('select from thing.thing')
  const options = { lockTimeoutMs: 10, lockPauseMs: 1, lockAttemptsMax: 3 }
  await assert.rejects(
    migrate(pool, 'thing', [first, widened], options),
    ({ message, cause }: Error) =>
      message === 'migration 0002-wider failed' &&
      cause instanceof Error &&
      /lock timeout/.test(cause.message),
  )
  await holder.query('commit')
  assert.deepEqual(await at.applied(), ['0001-thing'])
  await migrate(pool, 'thing', [first, widened])
  assert.deepEqual(await at.applied(), ['0001-thing', '0002-wider'])
})

test('a concurrent index that was cut off is made anew', async () => {
  await using at = await open()
  const { pool, holder } = at
  // It waits for whoever may still see the table without it.
  await holder.query('begin isolation level repeatable read')
  await holder.query('select from thing.thing')
  const cutOff = assert.rejects(
    migrate(pool, 'thing', [first, indexed]),
    /migration 0003-index failed/,
  )
  const isThere = async () =>
    (await pool.query(`select from pg_class where relname = 'thing_n_idx'`)).rowCount === 1
  while (!(await isThere())) await sleep(5)
  await pool.query(
    `select pg_cancel_backend(pid) from pg_stat_activity where query like 'create index concurrently%'`,
  )
  await cutOff
  await holder.query('commit')
  assert.ok(await isThere(), 'the cut off attempt should have left its index')
  await migrate(pool, 'thing', [first, indexed])
  const { rows } = await pool.query(
    `select indisvalid from pg_index where indexrelid = 'thing_n_idx'::regclass`,
  )
  assert.deepEqual(rows, [{ indisvalid: true }])
})

test('what a newer version has applied is no hindrance for an older one', async () => {
  await using at = await open()
  await migrate(at.pool, 'thing', [first, widened])
  await migrate(at.pool, 'thing', [first])
  assert.deepEqual(await at.applied(), ['0001-thing', '0002-wider'])
})
