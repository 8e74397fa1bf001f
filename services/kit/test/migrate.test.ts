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

/** A database with the first migration, a pool for migrations, and a session to hold locks. */
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

/** Start times of the waiting lock requests: each attempt of a migration has its own. */
async function waitingSince(holder: pg.Client): Promise<string | undefined> {
  const { rows } = await holder.query<{ since: string }>(
    `select waitstart::text as since from pg_locks
      where not granted and mode = 'AccessExclusiveLock' and waitstart is not null`,
  )
  return rows[0]?.since
}

test('a migration without its lock lets others proceed and retries', async () => {
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
  // This would wait behind the migration.
  await pool.query('insert into thing values (1, 1)')
  assert.deepEqual(await at.applied(), ['0001-thing'])
  await holder.query('commit')
  await migrating
  assert.deepEqual(await at.applied(), ['0001-thing', '0002-wider'])
})

test('a migration fails after its attempts without effect, and is named', async () => {
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

test('recreates an interrupted concurrent index', async () => {
  await using at = await open()
  const { pool, holder } = at
  // It waits for transactions that may still use the table without it.
  await holder.query('begin isolation level repeatable read')
  await holder.query('select from thing.thing')
  const cutOff = assert.rejects(
    migrate(pool, 'thing', [first, indexed]),
    /migration 0003-index failed/,
  )
  const pathExists = async () =>
    (await pool.query(`select from pg_class where relname = 'thing_n_idx'`)).rowCount === 1
  while (!(await pathExists())) await sleep(5)
  await pool.query(
    `select pg_cancel_backend(pid) from pg_stat_activity where query like 'create index concurrently%'`,
  )
  await cutOff
  await holder.query('commit')
  assert.ok(await pathExists(), 'the interrupted attempt must leave its index')
  await migrate(pool, 'thing', [first, indexed])
  const { rows } = await pool.query(
    `select indisvalid from pg_index where indexrelid = 'thing_n_idx'::regclass`,
  )
  assert.deepEqual(rows, [{ indisvalid: true }])
})

test('an older version accepts migrations of a newer one', async () => {
  await using at = await open()
  await migrate(at.pool, 'thing', [first, widened])
  await migrate(at.pool, 'thing', [first])
  assert.deepEqual(await at.applied(), ['0001-thing', '0002-wider'])
})

test('a migration that waits for another process keeps no transaction open', async () => {
  await using at = await open()
  const { pool, holder } = at
  await holder.query('begin')
  await holder.query(`select pg_advisory_xact_lock(hashtext('figbase migrate'), hashtext('thing'))`)
  const migrating = migrate(pool, 'thing', [first, widened])
  const begun = new Set<string>()
  while (begun.size < 3) {
    const { rows } = await pool.query<{ began: string }>(
      `select xact_start::text as began from pg_stat_activity
        where datname = current_database() and query like '%try_advisory%' and xact_start is not null
          and pid <> pg_backend_pid()`,
    )
    for (const { began } of rows) begun.add(began)
    await sleep(5)
  }
  await holder.query('commit')
  await migrating
  assert.deepEqual(await at.applied(), ['0001-thing', '0002-wider'])
})
