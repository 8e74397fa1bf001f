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
    (held) => held[Symbol.asyncDispose](),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof Failure, String(error))
  return `${error.message} ${error.remedy}`
}
const sessions = `from pg_stat_activity
  where datname = current_database() and application_name like 'figbase instance %'`
/** Ends the sessions of those who hold it, as a server does that is restarted. */
const ending = `select pg_terminate_backend(pid, 5000) ${sessions}`

async function withClient(work: (client: pg.Client) => Promise<void>) {
  const client = new pg.Client(database.url)
  await client.connect()
  await work(client).finally(() => client.end())
}

test('a second instance on a database is refused, and told how two could be', async () => {
  {
    await using _first = await lock(false)
    assert.match(await refusal(lock(false)), /in use by another Figbase.*S3_ENDPOINT, REDIS_URL/)
    assert.match(await refusal(lock(true)), /keeps its objects and counters for itself/)
  }
  await using _next = await lock(false)
})

test('those that share objects and counters run side by side, with one secret', async () => {
  await using _first = await lock(true)
  await using _second = await lock(true)
  assert.match(await refusal(lock(false)), /in use by another Figbase/)
  assert.match(await refusal(lock(true, 'two')), /another secret-key.*Copy the file/)
})

test('one that is stopping is waited for', async () => {
  const first = await lock(false)
  const second = lock(false, 'one', 10_000)
  await first[Symbol.asyncDispose]()
  await using _second = await second
})

test('a session that is lost is opened again, and others are still refused', async () => {
  await using first = await lock(false)
  await withClient(async (client) => {
    await client.query(ending)
    while ((await client.query(`select ${sessions}`)).rowCount === 0);
  })
  assert.match(await refusal(lock(false)), /in use by another Figbase/)
  assert.equal(await Promise.race([first.lost, Promise.resolve('held')]), 'held')
})

test('an instance whose database another one has taken meanwhile is told to end', async () => {
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
