import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StringValueSchema } from '@bufbuild/protobuf/wkt'
import { sql } from 'kysely'
import { defineEvent } from '../../src/events/index.js'
import { rotatePartitions } from '../../src/events/partitions.js'
import { createTestDatabase } from '../../src/testing/index.js'
import { count, numbers, queued, until } from './contract.js'
import { happened, startShop } from './shop.js'

const dayMs = 86_400_000

test('rejects events that are too large or not declared, with their transaction', async () => {
  await using database = await createTestDatabase()
  await using shop = await startShop({ databaseUrl: database.url })
  await assert.rejects(
    shop.publish('k'.repeat(513), 1),
    /key of shop\.thing\.happened\.v1 must have at most/,
  )
  await assert.rejects(shop.publish('k'.repeat(70_000), 1), RangeError)
  const other = defineEvent({
    name: 'shop.other.happened.v1',
    schema: StringValueSchema,
    key: (payload) => payload.value,
  })
  const { transact, publish } = shop.kit
  const undeclared = transact(async (tx) => {
    await publish(tx, happened, { name: 'a', number: 1 })
    await publish(tx, other, { value: 'a' })
  })
  await assert.rejects(undeclared, /shop does not publish shop\.other\.happened\.v1/)
  assert.equal((await queued(shop)).outbox, 0)
  const misnamed = () => defineEvent({ ...other, name: 'shop.other' })
  assert.throws(misnamed, /'shop\.other' is not a valid event name/)
})

test('retains published events and drops them by day', async () => {
  await using database = await createTestDatabase()
  await using shop = await startShop({ databaseUrl: database.url, consumers: { note: () => {} } })
  for (const n of [1, 2, 3]) await shop.publish('a', n)
  await until(async () => (await numbers(shop, 'a')).length === 3)
  await until(async () => (await count(shop, 'outbox_sent')) === 3)
  const turn = (days: number) => {
    const retention = { sentMs: dayMs, inboxMs: 8 * dayMs }
    return rotatePartitions(shop.kit.db, retention, new Date(Date.now() + days * dayMs))
  }
  await turn(1)
  assert.equal(await count(shop, 'outbox_sent'), 3)
  await turn(2)
  assert.equal(await count(shop, 'outbox_sent'), 0)
  assert.equal(await count(shop, 'inbox'), 3)
  await turn(9)
  assert.equal(await count(shop, 'inbox'), 0)
})

test('vacuums the tables under a flood of events', async () => {
  await using database = await createTestDatabase()
  await using shop = await startShop({ databaseUrl: database.url, consumers: { note: () => {} } })
  await shop.publish('a', 1)
  await until(async () => (await count(shop, 'outbox_sent')) === 1)
  // The same event, which must be handled once.
  await sql`insert into outbox (message)
    select message from outbox_sent, generate_series(1, 20000)`.execute(shop.kit.db)
  await until(async () => {
    const { rows } = await sql<{ name: string }>`select relname as name from pg_stat_user_tables
      where vacuum_count > 0 order by relname`.execute(shop.kit.db)
    return rows.map(({ name }) => name).join() === 'delivery,outbox'
  }, 60_000)
})

test('handles an event once that is older than all partitions of the inbox', async () => {
  await using database = await createTestDatabase()
  await using shop = await startShop({ databaseUrl: database.url, consumers: { note: () => {} } })
  await shop.publish('a', 1)
  await until(async () => (await count(shop, 'outbox_sent')) === 1)
  // The same event twice, as if published long ago by a service that was stopped since.
  await sql`insert into outbox (published_on, message)
    select now() - interval '30 days', jsonb_set(message::jsonb, '{id}', to_jsonb(gen_random_uuid()))
      from outbox_sent`.execute(shop.kit.db)
  await until(async () => (await numbers(shop, 'a')).length === 2)
  await sql`with again as (delete from outbox_sent returning published_on, message)
    insert into outbox (published_on, message) select * from again`.execute(shop.kit.db)
  await shop.publish('a', 2)
  await until(async () => (await numbers(shop, 'a')).includes(2))
  assert.deepEqual(await numbers(shop, 'a'), [1, 1, 2])
})

test('rejects settings below 1', async () => {
  await using database = await createTestDatabase()
  const env = { EVENT_CONCURRENCY: '0', EVENT_ATTEMPTS_MAX: '0', EVENT_TIMEOUT: 'soon' }
  const start = startShop({ databaseUrl: database.url, env })
  await assert.rejects(start, (error: Error) =>
    Object.keys(env).every((name) => error.message.includes(name)),
  )
})
