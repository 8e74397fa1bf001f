import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrate } from '../../src/db/migrate.js'
import { createDb, createPool } from '../../src/db/pool.js'
import { type Database, resolveDatabase } from '../../src/db/resolve-database.js'
import { openSession } from '../../src/db/session.js'
import { statement } from '../../src/db/statement.js'
import { transact } from '../../src/db/transact.js'
import { defineJob } from '../../src/jobs/define.js'
import { jobMigrations } from '../../src/jobs/migrations.js'
import { enqueueJob } from '../../src/jobs/queue.js'
import { startJobs } from '../../src/jobs/run-jobs.js'
import { createLogger } from '../../src/log.js'
import { createTestDatabase, pgBouncerSkipReason, runSql } from '../../src/testing/index.js'
import { numbers, until } from '../events/contract.js'
import { startShop } from '../events/shop.js'
import { type PooledDatabase, startPooledDatabase } from './pooled.js'

/** URL of a missing database of the same server. */
const elsewhere = (url: string) => Object.assign(new URL(url), { pathname: '/nowhere' }).href

const log = createLogger('test', 'silent')
const schema = 'shop'

describe('behind PgBouncer in transaction mode', { skip: pgBouncerSkipReason() }, () => {
  let at: PooledDatabase
  /** The database as resolved by a process that only knows the pooler. */
  let database: Database
  before(async () => {
    at = await startPooledDatabase()
    database = await resolveDatabase({ databaseUrl: at.pooledUrl, databaseDirectUrl: '' }, schema)
  })
  after(() => at[Symbol.asyncDispose]())

  const openPool = (connectionsMax: number) =>
    createPool({ ...database, schema, connectionsMax, log })

  test('detects a pooler', async () => {
    assert.deepEqual(database, { url: at.pooledUrl, isPooled: true, directUrl: undefined })
    const both = { databaseUrl: at.pooledUrl, databaseDirectUrl: at.directUrl }
    assert.deepEqual(await resolveDatabase(both, schema), {
      url: at.pooledUrl,
      isPooled: true,
      directUrl: at.directUrl,
    })
    const one = { databaseUrl: at.directUrl, databaseDirectUrl: '' }
    const direct = { url: at.directUrl, isPooled: false, directUrl: at.directUrl }
    assert.deepEqual(await resolveDatabase(one, schema), direct)
  })

  test('rejects invalid settings by name', async () => {
    await using other = await createTestDatabase()
    const { pooledUrl, directUrl } = at
    const unavailableUrl = 'postgres://127.0.0.1:1/x'
    const cases: [string, string, RegExp][] = [
      [unavailableUrl, '', /^DATABASE_URL: database unavailable: .*ECONNREFUSED/],
      [pooledUrl, unavailableUrl, /^DATABASE_DIRECT_URL: database unavailable: .*ECONNREFUSED/],
      [pooledUrl, pooledUrl, /^DATABASE_DIRECT_URL: must not be the URL of a pooler/],
      [pooledUrl, other.url, /^DATABASE_DIRECT_URL: not the same database/],
      [elsewhere(directUrl), '', /^DATABASE_URL: .*does not exist/],
    ]
    for (const [databaseUrl, databaseDirectUrl, message] of cases) {
      const resolving = resolveDatabase({ databaseUrl, databaseDirectUrl }, schema)
      await assert.rejects(resolving, { name: 'ConfigError', message })
    }
    // A role of another service.
    const resolving = resolveDatabase({ databaseUrl: pooledUrl, databaseDirectUrl: '' }, 'catalog')
    await assert.rejects(
      resolving,
      /^ConfigError: DATABASE_URL: .* search_path catalog, .*database-roles/,
    )
  })

  test('migrates concurrently, and runs prepared statements, also in transactions', async () => {
    const migrations = [
      { name: '0001-thing', sql: 'create table thing (n int constraint thing_pkey primary key)' },
      {
        name: '0002-index',
        inTransaction: false as const,
        sql: 'create index concurrently thing_idx on thing (n)',
      },
    ]
    const pools = [openPool(4), openPool(4), openPool(4)]
    await Promise.all(pools.map((pool) => migrate(pool, schema, migrations)))
    const insert = statement<{ n: number }>('insert into thing (n) values ($1) returning n')
    const dbs = pools.map((pool) => createDb<unknown>(pool))
    const works = Array.from({ length: 60 }, (_, index) => {
      const db = dbs[index % dbs.length]
      assert.ok(db)
      return transact(db, async (tx) => {
        await insert(tx, 2 * index)
        await insert(tx, 2 * index + 1)
      })
    })
    await Promise.all(works)
    const { rows } = await runSql(at.adminUrl, 'select count(*)::int as n from shop.thing')
    assert.deepEqual(rows, [{ n: 120 }])
    for (const pool of pools) await pool.end()
  })

  test('runs jobs', async () => {
    const pool = openPool(4)
    await migrate(pool, schema, jobMigrations)
    const db = createDb<unknown>(pool)
    const seen: number[] = []
    const job = defineJob<object, { n: number }>({
      name: 'count',
      attemptsMax: 1,
      timeoutMs: 10_000,
      run: async (_, { n }) => void seen.push(n),
    })
    const of = { db, ctx: {}, jobs: [job], concurrency: 3, log }
    const runner = await startJobs({ ...of, leaseMs: 5000, deadRetentionMs: 60_000 })
    for (let n = 0; n < 20; n++) await transact(db, (tx) => enqueueJob(tx, job, { n }))
    runner.wake()
    await until(async () => seen.length === 20)
    await runner[Symbol.asyncDispose]()
    await pool.end()
  })

  test('holds a lock for the lifetime of its session, despite timeouts of the server', async () => {
    const lock = { key: `hashtext('a lock')` }
    const shared = { ...lock, isShared: true }
    const other = await openSession(database, 'other')
    const session = await openSession(database, 'one')
    assert.equal(await session.tryLock(lock), true)
    await sleep(1500)
    assert.equal(await other.tryLock(shared), false)
    assert.equal(session.lost.aborted, false)
    const { rows } = await runSql(
      at.adminUrl,
      `select backend_xmin from pg_stat_activity join pg_locks using (pid)
        where locktype = 'advisory' and objid = hashtext('a lock')::oid`,
    )
    assert.deepEqual(rows, [{ backend_xmin: null }], 'vacuum must not wait')
    await session[Symbol.asyncDispose]()
    assert.equal(await other.tryLock(shared), true)
    const lost = new Promise((resolve) => other.lost.addEventListener('abort', resolve))
    await runSql(
      at.adminUrl,
      `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objid = hashtext('a lock')::oid`,
    )
    await lost
    await other[Symbol.asyncDispose]()
  })

  test('handles events once and in order without LISTEN, with several processes and when one leaves', async () => {
    const env = { DATABASE_URL: at.pooledUrl }
    const busy = new Set<string>()
    const start = (name: string) =>
      startShop({ databaseUrl: '', env, consumers: { note: () => void busy.add(name) } })
    const shop = await start('first')
    await using first = shop
    const second = await start('second')
    let n = 0
    const publish = async () => {
      n++
      for (let key = 0; key < 16; key++) await shop.publish(`${key}`, n)
    }
    // The first held all shards and released some.
    await until(async () => {
      await publish()
      return busy.size === 2
    })
    await second[Symbol.asyncDispose]()
    await publish()
    await until(async () => {
      const counts = await sql<{ n: number }>`select count(*)::int as n from effect`.execute(
        first.kit.db,
      )
      return counts.rows[0]?.n === 16 * n
    })
    const expected = Array.from({ length: n }, (_, index) => index + 1)
    for (let key = 0; key < 16; key++) {
      assert.deepEqual(await numbers(first, `${key}`), expected)
    }
  })

  test('with DATABASE_DIRECT_URL is notified of events of another process', async () => {
    const env = { DATABASE_URL: at.pooledUrl, DATABASE_DIRECT_URL: at.directUrl }
    const received: unknown[] = []
    await using first = await startShop({ databaseUrl: '', env })
    await using second = await startShop({ databaseUrl: '', env })
    await first.kit.listen('said', (message) => void received.push(message))
    await second.kit.broadcast('said', 'this')
    await until(async () => received.length === 1)
    assert.deepEqual(received, ['this'])
  })
})
