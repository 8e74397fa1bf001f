import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { migrate } from '../../src/db/migrate.js'
import { createDb, createPool } from '../../src/db/pool.js'
import { type Database, reachDatabase } from '../../src/db/reach.js'
import { openSession } from '../../src/db/session.js'
import { statement } from '../../src/db/statement.js'
import { transact } from '../../src/db/transact.js'
import { defineJob } from '../../src/jobs/define.js'
import { jobMigrations } from '../../src/jobs/migrations.js'
import { enqueueJob } from '../../src/jobs/queue.js'
import { startJobs } from '../../src/jobs/run-jobs.js'
import { createLogger } from '../../src/log.js'
import { createTestDatabase, runSql, whyWithoutPgBouncer } from '../../src/testing/index.js'
import { numbers, until } from '../events/contract.js'
import { startShop } from '../events/shop.js'
import { type PooledDatabase, startPooledDatabase } from './pooled.js'

/** The same server, and a database that it does not have. */
const elsewhere = (url: string) => Object.assign(new URL(url), { pathname: '/nowhere' }).href

const log = createLogger('test', 'silent')
const schema = 'shop'

describe('behind PgBouncer in transaction mode', { skip: whyWithoutPgBouncer() }, () => {
  let at: PooledDatabase
  /** As a process finds it that knows only the pooler. */
  let database: Database
  before(async () => {
    at = await startPooledDatabase()
    database = await reachDatabase({ databaseUrl: at.pooledUrl, databaseDirectUrl: '' }, schema)
  })
  after(() => at[Symbol.asyncDispose]())

  const openPool = (connectionsMax: number) =>
    createPool({ ...database, schema, connectionsMax, log })

  test('a pooler is noticed, and PostgreSQL itself is not taken for one', async () => {
    assert.deepEqual(database, { url: at.pooledUrl, isPooled: true, directUrl: undefined })
    const both = { databaseUrl: at.pooledUrl, databaseDirectUrl: at.directUrl }
    assert.deepEqual(await reachDatabase(both, schema), {
      url: at.pooledUrl,
      isPooled: true,
      directUrl: at.directUrl,
    })
    const one = { databaseUrl: at.directUrl, databaseDirectUrl: '' }
    const direct = { url: at.directUrl, isPooled: false, directUrl: at.directUrl }
    assert.deepEqual(await reachDatabase(one, schema), direct)
  })

  test('what cannot work is refused, and named by its setting', async () => {
    await using other = await createTestDatabase()
    const { pooledUrl, directUrl } = at
    const nowhere = 'postgres://127.0.0.1:1/x'
    const cases: [string, string, RegExp][] = [
      [nowhere, '', /^DATABASE_URL: the database cannot be used: .*ECONNREFUSED/],
      [pooledUrl, nowhere, /^DATABASE_DIRECT_URL: the database cannot be used: .*ECONNREFUSED/],
      [pooledUrl, pooledUrl, /^DATABASE_DIRECT_URL: it leads to a pooler/],
      [pooledUrl, other.url, /^DATABASE_DIRECT_URL: it is another database/],
      [elsewhere(directUrl), '', /^DATABASE_URL: .*does not exist/],
    ]
    for (const [databaseUrl, databaseDirectUrl, message] of cases) {
      const reaching = reachDatabase({ databaseUrl, databaseDirectUrl }, schema)
      await assert.rejects(reaching, { name: 'ConfigError', message })
    }
    // The role is that of another service.
    const reaching = reachDatabase({ databaseUrl: pooledUrl, databaseDirectUrl: '' }, 'catalog')
    await assert.rejects(
      reaching,
      /^ConfigError: DATABASE_URL: .* search_path shop, .*database-roles/,
    )
  })

  test('replicas migrate at once, and run statements that had names, in transactions too', async () => {
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

  test('jobs run', async () => {
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

  test('a lock is held as long as its session, whatever the server does to idle ones', async () => {
    const lock = { key: `hashtext('a lock')` }
    const shared = { ...lock, isShared: true }
    const other = await openSession(database, 'other')
    const session = await openSession(database, 'one')
    assert.equal(await session.tryTake(lock), true)
    await sleep(1500)
    assert.equal(await other.tryTake(shared), false)
    assert.equal(session.lost.aborted, false)
    const { rows } = await runSql(
      at.adminUrl,
      `select backend_xmin from pg_stat_activity join pg_locks using (pid)
        where locktype = 'advisory' and objid = hashtext('a lock')::oid`,
    )
    assert.deepEqual(rows, [{ backend_xmin: null }], 'vacuum need not wait')
    await session[Symbol.asyncDispose]()
    assert.equal(await other.tryTake(shared), true)
    const lost = new Promise((resolve) => other.lost.addEventListener('abort', resolve))
    await runSql(
      at.adminUrl,
      `select pg_terminate_backend(pid) from pg_locks
        where locktype = 'advisory' and objid = hashtext('a lock')::oid`,
    )
    await lost
    await other[Symbol.asyncDispose]()
  })

  test('events are handled once and in order without LISTEN, by several processes and when one leaves', async () => {
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
    // The first held all, and gave some back.
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

  test('with DATABASE_DIRECT_URL an event of another process is heard, not polled', async () => {
    const env = { DATABASE_URL: at.pooledUrl, DATABASE_DIRECT_URL: at.directUrl }
    const heard: unknown[] = []
    await using first = await startShop({ databaseUrl: '', env })
    await using second = await startShop({ databaseUrl: '', env })
    await first.kit.listen('said', (message) => void heard.push(message))
    await second.kit.broadcast('said', 'this')
    await until(async () => heard.length === 1)
    assert.deepEqual(heard, ['this'])
  })
})
