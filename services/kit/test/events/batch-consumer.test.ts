import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDeadLetters } from '../../src/events/dead-letters.js'
import { defineBatchConsumer } from '../../src/events/index.js'
import { createTestDatabase, databaseAt } from '../../src/testing/index.js'
import { count, numbers, queued, until } from './contract.js'
import { ended, type Shop, startShop } from './shop.js'

const nothingWaits = { outbox: 0, parked: 0, dead: 0 }

/** Simulates a relay that sends all its events again, twice. */
const sendAgain = ({ kit }: Shop) =>
  sql`with again as (delete from outbox_sent returning published_on, message)
    insert into outbox (published_on, message)
    select published_on, message from again, generate_series(1, 2)`.execute(kit.db)

/** Makes the effect of the number fail, together with its whole statement. */
const refuse = ({ kit }: Shop, n: number) =>
  sql`alter table effect add constraint refused check (n <> ${sql.lit(n)})`.execute(kit.db)
const accept = ({ kit }: Shop) => sql`alter table effect drop constraint refused`.execute(kit.db)

test('writes rows in order, calls onWritten afterwards, and skips events without a row', async () => {
  await using database = await createTestDatabase()
  let written = 0
  const note = { isWritten: () => written++ }
  await using shop = await startShop({ databaseUrl: database.url, collecting: { note } })
  const { transact, publish } = shop.kit
  await transact((tx) => publish(tx, ended, { name: 'a', number: 0 }))
  await until(async () => (await count(shop, 'inbox')) === 1)
  assert.equal(written, 0)
  for (let n = 1; n <= 50; n++) await shop.publish('a', n)
  await until(async () => (await numbers(shop, 'a')).length === 50)
  assert.deepEqual(
    await numbers(shop, 'a'),
    Array.from({ length: 50 }, (_, index) => index + 1),
  )
  await until(async () => written > 0)
  assert.equal(await count(shop, 'inbox'), 51)
  assert.deepEqual(await queued(shop), nothingWaits)
})

test('handles redelivered events once, also twice in a batch', async () => {
  await using database = await createTestDatabase()
  await using shop = await startShop({ databaseUrl: database.url, collecting: { note: {} } })
  await shop.publish('a', 1)
  await until(async () => (await count(shop, 'outbox_sent')) === 1)
  await sql`insert into outbox (message)
    select jsonb_set(message::jsonb, '{id}', to_jsonb(gen_random_uuid())) from outbox_sent`.execute(
    shop.kit.db,
  )
  await until(async () => (await numbers(shop, 'a')).length === 2)
  await until(async () => (await count(shop, 'outbox_sent')) === 2)
  await sendAgain(shop)
  await shop.publish('a', 2)
  await until(async () => (await numbers(shop, 'a')).includes(2))
  assert.deepEqual(await numbers(shop, 'a'), [1, 1, 2])
})

test('handles an event once that is twice in its first batch', async () => {
  await using database = await createTestDatabase()
  const publisher = await startShop({ databaseUrl: database.url, consumers: { other: () => {} } })
  await publisher.publish('a', 1)
  await until(async () => (await count(publisher, 'outbox_sent')) === 1)
  await sendAgain(publisher)
  await publisher[Symbol.asyncDispose]()
  await using shop = await startShop({ databaseUrl: database.url, collecting: { note: {} } })
  await shop.publish('a', 2)
  await until(async () => (await numbers(shop, 'a')).includes(2))
  assert.deepEqual(await numbers(shop, 'a'), [1, 2])
})

test('neither repeats nor loses events handled or parked before it was a batch consumer', async () => {
  await using database = await createTestDatabase()
  const { url: databaseUrl } = database
  const fails = ({ number }: { number: number }) => {
    if (number > 1) throw new Error('not yet')
  }
  const before = await startShop({ databaseUrl, consumers: { note: fails } })
  for (const n of [1, 2, 3]) await before.publish('a', n)
  await until(async () => (await queued(before)).parked === 2)
  await before[Symbol.asyncDispose]()
  await using shop = await startShop({ databaseUrl, collecting: { note: {} } })
  await sendAgain(shop)
  await shop.publish('a', 4)
  await until(async () => (await numbers(shop, 'a')).includes(4))
  assert.deepEqual(await numbers(shop, 'a'), [1, 2, 3, 4])
  await until(async () => (await queued(shop)).parked === 0)
})

test('after a failed statement parks the key, continues with others, and retries', async () => {
  await using database = await createTestDatabase()
  let written = 0
  const note = { isWritten: () => written++ }
  await using shop = await startShop({ databaseUrl: database.url, collecting: { note } })
  await refuse(shop, 13)
  for (const n of [13, 14]) await shop.publish('bad', n)
  for (const n of [1, 2, 3]) await shop.publish('good', n)
  await until(async () => (await numbers(shop, 'good')).length === 3)
  await until(async () => (await queued(shop)).parked === 2)
  // Delivered while others of its key are parked.
  await shop.publish('bad', 15)
  await until(async () => (await queued(shop)).parked === 3)
  assert.deepEqual(await numbers(shop, 'bad'), [])
  const writtenBefore = written
  await accept(shop)
  await until(async () => (await numbers(shop, 'bad')).length === 3)
  assert.deepEqual(await numbers(shop, 'bad'), [13, 14, 15])
  assert.deepEqual(await numbers(shop, 'good'), [1, 2, 3])
  await until(async () => written > writtenBefore)
  await until(async () => (await queued(shop)).parked === 0)
})

test('parks an event without a valid row alone, until it becomes a dead letter', async () => {
  await using database = await createTestDatabase()
  const { url: databaseUrl } = database
  let mayWork = false
  const look = ({ number }: { number: number }) => {
    if (number === 1 && !mayWork) throw new Error('broken for now')
  }
  const env = { EVENT_ATTEMPTS_MAX: '3' }
  await using shop = await startShop({ databaseUrl, collecting: { note: { look } }, env })
  for (const n of [1, 2]) await shop.publish('a', n)
  await until(async () => (await queued(shop)).dead === 1)
  await until(async () => (await numbers(shop, 'a')).length === 1)
  assert.deepEqual(await numbers(shop, 'a'), [2])
  await using letters = await openDeadLetters(async () => databaseAt(databaseUrl), ['shop'])
  assert.match((await letters.list())[0]?.error ?? '', /broken for now/)
  mayWork = true
  assert.equal(await letters.replay(), 1)
  await until(async () => (await numbers(shop, 'a')).length === 2)
  await until(async () => (await queued(shop)).parked === 0)
})

test('does not retry an event before a failed one of its key', async () => {
  await using database = await createTestDatabase()
  let mayWork = false
  const look = ({ name }: { name: string }) => {
    if (name === 'bad' && !mayWork) throw new Error('not yet')
  }
  await using shop = await startShop({ databaseUrl: database.url, collecting: { note: { look } } })
  for (const n of [1, 2, 3]) await shop.publish('bad', n)
  await until(async () => (await queued(shop)).parked === 3)
  const { rows } = await sql<{ attempts: number }>`select attempts from parked order by id`.execute(
    shop.kit.db,
  )
  assert.deepEqual(
    rows.slice(1).map(({ attempts }) => attempts),
    [0, 0],
  )
  mayWork = true
  await until(async () => (await numbers(shop, 'bad')).length === 3)
  assert.deepEqual(await numbers(shop, 'bad'), [1, 2, 3])
})

test('rejects an invalid name of a batch consumer', () => {
  const options = { handlers: [], effect: 'select', onWritten: () => {} }
  const misnamed = () => defineBatchConsumer({ ...options, name: 'Not this' })
  assert.throws(misnamed, /'Not this' is not a valid consumer name/)
})
