import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPostgresBus } from '../../src/events/bus/postgres.js'
import { shardOf } from '../../src/events/shard.js'
import { newOrderedId } from '../../src/ids.js'
import { createLogger } from '../../src/log.js'
import { createTestDatabase, databaseAt, runSql } from '../../src/testing/index.js'
import { createRecord } from '../queue.js'
import { until } from './contract.js'

const log = createLogger('test', 'silent')
const event = {
  id: newOrderedId(),
  name: 'shop.thing.happened.v1',
  key: 'a',
  actor: '',
  requestId: '',
  at: '2026-11-23T00:00:00.000000Z',
  payload: { name: 'a', number: 1 },
}

test('delivers broadcasts of handlers, and deletes handled deliveries', async () => {
  await using database = await createTestDatabase()
  const options = { database: databaseAt(database.url), migrates: true, log }
  await using bus = createPostgresBus(options)
  const group = { name: 'shop.note', events: [event.name] }
  await bus.subscribe(group)
  const received = createRecord<unknown>()
  await using _hearing = await bus.listen('things', (message) => received.add(message))
  const queued = async () => {
    const { rows } = await runSql(database.url, 'select count(*)::int as n from bus.delivery')
    return rows[0]?.n as number
  }
  const stop = new AbortController()
  const receiving = bus.receive(group, shardOf(event.key), stop.signal, async () => {
    for (const output of ['it\'s "done"', { id: 'ä' }]) void bus.broadcast('things', output)
  })
  const state = await bus.open('shop', { epoch: '', position: 0 })
  await bus.send('shop', [event], state)
  await received.waitForCount(2)
  assert.deepEqual(received.items, ['it\'s "done"', { id: 'ä' }])
  await until(async () => (await queued()) === 0)
  stop.abort()
  await receiving
})

test('sends and receives before the tables exist', async () => {
  await using database = await createTestDatabase()
  await using bus = createPostgresBus({ database: databaseAt(database.url), migrates: false, log })
  const received = createRecord<unknown>()
  await using _hearing = await bus.listen('things', (message) => received.add(message))
  await bus.broadcast('things', 'this')
  await received.waitForCount(1)
  assert.deepEqual(received.items, ['this'])
})
