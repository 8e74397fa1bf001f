import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, databaseAt, type TestDatabase } from '@figbase/kit/testing'
import pg from 'pg'
import { Failure } from '../src/failure.js'
import { lockDatabase } from '../src/instance-lock.js'

let database: TestDatabase
before(async () => {
  database = await createTestDatabase()
})
after(() => database[Symbol.asyncDispose]())

const lock = (isShared: boolean, secret = 'one', waitMs = 0) =>
  lockDatabase({ database: databaseAt(database.url), isShared, secret, waitMs })
const refusal = async (wanted: Promise<AsyncDisposable>) => {
  const error = await wanted.then(
    (lock) => lock[Symbol.asyncDispose](),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Failure, String(error))
  return `${error.message} ${error.remedy}`
}
const sessions = `from pg_stat_activity
  where datname = current_database() and application_name like 'figbase instance %'`
/** Terminates the sessions of the lock holders, like a server restart. */
const ending = `select pg_terminate_backend(pid, 5000) ${sessions}`

async function withClient(work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client(database.url)
  await client.connect()
  await work(client).finally(() => client.end())
}

test('rejects a second instance on a database, and explains how to share it', async () => {
  {
    await using _first = await lock(false)
    assert.match(await refusal(lock(false)), /in use by another Figbase.*S3_ENDPOINT, REDIS_URL/)
    assert.match(await refusal(lock(true)), /does not share its objects and counters/)
  }
  await using _next = await lock(false)
})

test('instances with shared objects and counters run concurrently with the same secret', async () => {
  await using _first = await lock(true)
  await using _second = await lock(true)
  assert.match(await refusal(lock(false)), /in use by another Figbase/)
  assert.match(await refusal(lock(true, 'two')), /different secret-key.*Copy the file/)
})

test('waits for an instance that is stopping', async () => {
  const first = await lock(false)
  const second = lock(false, 'one', 10_000)
  await first[Symbol.asyncDispose]()
  await using _second = await second
})

test('reopens a lost session, and still rejects other instances', async () => {
  await using first = await lock(false)
  await withClient(async (client) => {
    await client.query(ending)
    while ((await client.query(`select ${sessions}`)).rowCount === 0);
  })
  assert.match(await refusal(lock(false)), /in use by another Figbase/)
  assert.equal(await Promise.race([first.lost, Promise.resolve('locked')]), 'locked')
})

test('`lost` resolves when another instance has acquired the database meanwhile', async () => {
  await using first = await lock(false)
  await withClient(async (client) => {
    const taking = `${ending}; select pg_try_advisory_lock(hashtext('figbase instance')) as taken`
    for (let isTaken = false; !isTaken; ) {
      const results = (await client.query(taking)) as unknown as pg.QueryResult[]
      isTaken = results.at(-1)?.rows[0].taken
    }
    assert.ok((await first.lost) instanceof Failure)
  })
})
