import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { createPostgresBus } from '../../src/events/bus/postgres.js'
import { shardCount } from '../../src/events/shard.js'
import { newOrderedId } from '../../src/ids.js'
import { createLogger } from '../../src/log.js'
import { createTestDatabase, databaseAt } from '../../src/testing/index.js'
import { createRecord } from '../queue.js'
import { forEver, watchRests } from '../rests.js'
import { numbers, until } from './contract.js'
import { happened, startShop } from './shop.js'

const log = createLogger('test', 'silent')

/** A database client that receives broadcasts and terminates the listening connections. */
async function openWitness(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const output = createRecord<string>()
  client.on('notification', ({ channel }) => output.add(channel))
  await client.query('listen figbase_deliveries')
  await client.query('listen figbase_broadcasts')
  return {
    output,
    /** Terminates those of all processes, which reconnect a second later. */
    async cutListeners() {
      const { rowCount } = await client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'figbase listens'`,
      )
      assert.ok(rowCount, 'no listener')
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}

const group = { name: 'shop.note', events: ['shop.thing.happened.v1'] }
const event = (key: string) => ({
  id: newOrderedId(),
  name: 'shop.thing.happened.v1',
  key,
  actor: '',
  requestId: '',
  traceparent: '',
  at: '2026-11-23T00:00:00.000000Z',
  payload: { name: key, number: 1 },
})

test('finds events and announcements sent while the connection was lost', async (t) => {
  watchRests(t, forEver)
  await using database = await createTestDatabase()
  await using receiver = createPostgresBus({
    database: databaseAt(database.url),
    migrates: true,
    log,
  })
  const received = createRecord<string>()
  const heard = createRecord<unknown>()
  const resumed = createRecord<string>()
  await receiver.subscribe(group)
  await using _hearing = await receiver.listen(
    'things',
    (message) => heard.add(message),
    () => resumed.add('first'),
  )
  const ended = await receiver.listen(
    'things',
    () => {},
    () => resumed.add('ended'),
  )
  await ended[Symbol.asyncDispose]()
  const stop = new AbortController()
  const receiving = Promise.all(
    Array.from({ length: shardCount }, (_, shard) =>
      receiver.receive(group, shard, stop.signal, async (events) => {
        for (const { key } of events) received.add(key)
      }),
    ),
  )
  await using _receiving = {
    async [Symbol.asyncDispose]() {
      stop.abort()
      await receiving
    },
  }
  await using sender = createPostgresBus({
    database: databaseAt(database.url),
    migrates: true,
    log,
  })
  await using witness = await openWitness(database.url)
  const state = await sender.open('shop', { epoch: '', position: 0 })
  await sender.send('shop', [event('before')], state)
  await received.waitForCount(1)
  await witness.output.waitForCount(1)
  assert.deepEqual(resumed.items, [], 'no connection lost yet')

  await witness.cutListeners()
  await sender.send('shop', [event('meanwhile')], state)
  await sender.broadcast('things', 'lost')
  await witness.output.waitForCount(3)
  await resumed.waitForCount(1)
  await received.waitForCount(2)
  assert.deepEqual(received.items, ['before', 'meanwhile'])
  await sender.broadcast('things', 'heard')
  await until(async () => heard.items.includes('heard'))
  assert.deepEqual(resumed.items, ['first'], 'listeners are notified once')
})

test('a wake signal delivers events while all others are idle', async (t) => {
  const rests = watchRests(t, forEver)
  await using database = await createTestDatabase()
  await using relaying = await startShop({
    databaseUrl: database.url,
    consumers: { note: () => {} },
  })
  const has = (n: number) => until(async () => (await numbers(relaying, 'a')).includes(n))
  await relaying.publish('a', 1)
  await has(1)
  const { kit } = relaying
  const payload = { name: 'a', number: 2 }
  await kit.write((db) => kit.publish(db, happened, payload), { publishes: true })
  await has(2)
  // The relay is in the first process, which is woken by a broadcast.
  await using other = await startShop({ databaseUrl: database.url })
  await other.publish('a', 3)
  await has(3)
  assert.deepEqual(await numbers(relaying, 'a'), [1, 2, 3])
  assert.ok(rests.items.length > 0, 'nobody rested')
})

test('delivers an event that another process announced while the connection was lost', async (t) => {
  watchRests(t, forEver)
  await using database = await createTestDatabase()
  await using relaying = await startShop({
    databaseUrl: database.url,
    consumers: { note: () => {} },
  })
  await relaying.publish('a', 1)
  await until(async () => (await numbers(relaying, 'a')).length === 1)
  await using other = await startShop({ databaseUrl: database.url })
  await using witness = await openWitness(database.url)
  await witness.cutListeners()
  await other.publish('a', 2)
  await witness.output.waitForCount(1)
  await until(async () => (await numbers(relaying, 'a')).length === 2)
})
