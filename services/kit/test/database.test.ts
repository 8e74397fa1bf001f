import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type Migration, migrate } from '../src/db/migrate.js'
import { createDb, createPool } from '../src/db/pool.js'
import { statement } from '../src/db/statement.js'
import { transact } from '../src/db/transact.js'
import { createLogger } from '../src/log.js'
import { createTestDatabase } from '../src/testing/index.js'

const log = createLogger('test', 'silent')

async function openPools(count: number) {
  const database = await createTestDatabase()
  const { url } = database
  const pools = Array.from({ length: count }, () =>
    createPool({ url, schema: 'thing', connectionsMax: 4, log }),
  )
  return {
    pools,
    async [Symbol.asyncDispose]() {
      for (const pool of pools) await pool.end()
      await database[Symbol.asyncDispose]()
    },
  }
}

const migrations: Migration[] = [
  {
    name: '0001-thing',
    sql: 'create table thing (id int constraint thing_pkey primary key, n int)',
  },
  {
    name: '0002-thing-n',
    inTransaction: false,
    sql: 'create index concurrently thing_n_idx on thing (n)',
  },
  { name: '0003-rows', sql: 'insert into thing values (1, 0), (2, 0)' },
]

test('migrates once for replicas that start together, also with a concurrent index', async () => {
  await using at = await openPools(4)
  await Promise.all(at.pools.map((pool) => migrate(pool, 'thing', migrations)))
  for (const pool of at.pools) await migrate(pool, 'thing', migrations)
  const [pool] = at.pools
  const counts = await pool?.query(`select (select count(*)::int from migration) as migrations,
    (select count(*)::int from thing) as rows`)
  assert.deepEqual(counts?.rows, [{ migrations: 3, rows: 2 }])
})

test('rolls back a failed migration, names it, and retries it with the next start', async () => {
  await using at = await openPools(1)
  const [pool] = at.pools
  assert.ok(pool)
  const broken = { name: '0002-broken', sql: 'create table other (id int); select 1/0' }
  await assert.rejects(migrate(pool, 'thing', [...migrations.slice(0, 1), broken]), /0002-broken/)
  const repaired = { ...broken, sql: 'create table other (id int)' }
  await migrate(pool, 'thing', [...migrations.slice(0, 1), repaired])
  const { rows } = await pool.query('select name from migration order by name')
  assert.deepEqual(
    rows.map((row) => row.name),
    ['0001-thing', '0002-broken'],
  )
})

test('retries deadlocked transactions until both succeed', async () => {
  await using at = await openPools(1)
  const [pool] = at.pools
  assert.ok(pool)
  await migrate(pool, 'thing', migrations)
  const db = createDb<{ thing: { id: number; n: number } }>(pool)
  let attempts = 0
  let waiting = 0
  let bothHold: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    bothHold = resolve
  })
  const raise = (ids: number[]) =>
    transact(db, async (tx) => {
      attempts++
      for (const id of ids) {
        await sql`update thing set n = n + 1 where id = ${id}`.execute(tx)
        if (++waiting === 2) bothHold()
        await held
      }
    })
  await Promise.all([raise([1, 2]), raise([2, 1])])
  const { rows } = await pool.query('select n from thing')
  assert.deepEqual(rows, [{ n: 2 }, { n: 2 }])
  assert.ok(attempts > 2, `no deadlock in ${attempts} attempts`)
})

test('throws other errors at the first attempt and rolls back', async () => {
  await using at = await openPools(1)
  const [pool] = at.pools
  assert.ok(pool)
  await migrate(pool, 'thing', migrations)
  const db = createDb<{ thing: { id: number; n: number } }>(pool)
  let attempts = 0
  const work = transact(db, async (tx) => {
    attempts++
    await tx.insertInto('thing').values({ id: 3, n: 0 }).execute()
    await tx.insertInto('thing').values({ id: 1, n: 0 }).execute()
  })
  await assert.rejects(work, { constraint: 'thing_pkey' })
  assert.equal(attempts, 1)
  assert.equal((await pool.query('select from thing')).rowCount, 2)
})

test('fails a transaction that ignored a failed statement', async () => {
  await using at = await openPools(1)
  const [pool] = at.pools
  assert.ok(pool)
  await migrate(pool, 'thing', migrations)
  const db = createDb<{ thing: { id: number; n: number } }>(pool)
  let committed = 0
  const insert = (id: number, hide: boolean) =>
    transact(
      db,
      async (tx) => {
        await tx.insertInto('thing').values({ id, n: 0 }).execute()
        if (hide) await sql`select 1 / 0`.execute(tx).catch(() => {})
      },
      undefined,
      () => committed++,
    )
  await assert.rejects(insert(3, true), /rolled back: one of its statements had failed/)
  assert.equal(committed, 0)
  await insert(4, false)
  assert.equal(committed, 1)
  const { rows } = await pool.query('select id from thing order by id')
  assert.deepEqual(
    rows.map(({ id }) => id),
    [1, 2, 4],
  )
  assert.equal(pool.idleCount, pool.totalCount, 'all connections must be released')
})

test('reads times with microseconds, and bigints', async () => {
  await using at = await openPools(1)
  const { rows = [] } =
    (await at.pools[0]?.query(`select timestamptz '2026-11-21T12:34:56.123456+02' as at,
      9007199254740993::bigint as big`)) ?? {}
  assert.deepEqual(rows, [{ at: '2026-11-21 10:34:56.123456+00', big: 9007199254740993n }])
})

test('fails only the transaction when its connection is lost', async () => {
  await using at = await openPools(2)
  const [pool, other] = at.pools
  assert.ok(pool && other)
  await migrate(pool, 'thing', migrations)
  const db = createDb<{ thing: { id: number; n: number } }>(pool)
  const lost = new Promise<void>((resolve) => {
    pool.once('acquire', (client) => client.once('end', resolve))
  })
  const work = transact(db, async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await other.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await lost
    await tx.deleteFrom('thing').execute()
  })
  await assert.rejects(work)
  assert.equal((await pool.query('select from thing')).rowCount, 2)
})

const thingById = statement<{ id: number }>('select id from thing where id = $1')

test('prepares only statements with a fixed text, once per connection', async () => {
  await using at = await openPools(1)
  const [pool] = at.pools
  assert.ok(pool)
  await migrate(pool, 'thing', migrations)
  const db = createDb<{ thing: { id: number; n: number } }>(pool)
  await transact(db, async (tx) => {
    for (const id of [1, 2]) {
      assert.deepEqual(await thingById(tx, id), [{ id }])
      await tx.selectFrom('thing').select('n').where('id', '=', id).execute()
    }
    const kept = await sql<{ statement: string }>`
      select statement from pg_prepared_statements`.execute(tx)
    assert.deepEqual(
      kept.rows.map((row) => row.statement),
      ['-- prepared\nselect id from thing where id = $1'],
    )
  })
})

const divided = statement<{ n: number }>('select 1 / $1::int as n')
const slept = statement<never>('select pg_sleep($1)')

test('reuses a connection after an error but not after a timeout', async () => {
  await using database = await createTestDatabase()
  const limits = { connectTimeoutMs: 5000, queryTimeoutMs: 300 }
  // The server has no timeout of its own then and does not respond.
  const pool = createPool({
    url: database.url,
    schema: 'public',
    connectionsMax: 1,
    log,
    isPooled: true,
    limits,
  })
  try {
    const db = createDb<unknown>(pool)
    await assert.rejects(divided(db, 0), /division by zero/)
    assert.equal(pool.totalCount, 1)
    await assert.rejects(slept(db, 2), /timeout/)
    assert.equal(pool.totalCount, 0)
    assert.deepEqual(await divided(db, 1), [{ n: 1 }])
  } finally {
    await pool.end()
  }
})
