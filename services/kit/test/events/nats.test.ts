import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTestDatabase } from '../../src/testing/index.js'
import { natsSkipReason, startNatsServer } from '../../src/testing/nats-server.js'
import { eventContract, numbers, queued, until } from './contract.js'
import { startShop } from './shop.js'

const missing = natsSkipReason()
if (missing) test('events on NATS', { skip: missing }, () => {})
else {
  eventContract(async () => {
    const server = await startNatsServer()
    return {
      natsUrl: server.url,
      async wipe() {
        await server.wipe()
        await server.start()
      },
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    }
  })

  test('a restart of the broker under load delays events but loses none', async () => {
    await using database = await createTestDatabase()
    await using server = await startNatsServer()
    await using shop = await startShop({
      databaseUrl: database.url,
      natsUrl: server.url,
      consumers: { note: () => sleep(1) },
    })
    let n = 0
    const publishSome = async (count: number) => {
      for (const end = n + count; n < end; ) await shop.publish('a', ++n)
    }
    await publishSome(20)
    await until(async () => (await numbers(shop, 'a')).length > 0)
    for (let time = 0; time < 3; time++) {
      const publishing = publishSome(100)
      await server.stop()
      await publishing
      await publishSome(20)
      await server.start()
    }
    await until(async () => (await numbers(shop, 'a')).length >= n)
    const expected = Array.from({ length: n }, (_, index) => index + 1)
    assert.deepEqual(await numbers(shop, 'a'), expected)
  })

  test('resends events to a broker that lost the end of its stream', async () => {
    await using database = await createTestDatabase()
    await using server = await startNatsServer()
    const options = { databaseUrl: database.url, natsUrl: server.url }
    const before = await startShop({ ...options, consumers: { note: () => {} } })
    await before.publish('a', 1)
    await until(async () => (await numbers(before, 'a')).length === 1)
    await before[Symbol.asyncDispose]()
    const restore = await server.save()
    const publisher = await startShop(options)
    for (const n of [2, 3]) await publisher.publish('a', n)
    await until(async () => (await queued(publisher)).outbox === 0)
    await publisher[Symbol.asyncDispose]()
    // Like a power failure: the last acknowledged messages were not on disk.
    await restore()
    await using shop = await startShop({ ...options, consumers: { note: () => {} } })
    await shop.publish('a', 4)
    await until(async () => (await numbers(shop, 'a')).length === 4)
    assert.deepEqual(await numbers(shop, 'a'), [1, 2, 3, 4])
  })

  test('reports an unavailable NATS_URL at startup without its password', async () => {
    await using database = await createTestDatabase()
    await using server = await startNatsServer({ jetStream: false })
    const start = (natsUrl: string) => startShop({ databaseUrl: database.url, natsUrl })
    await assert.rejects(start('nats://user:secret@127.0.0.1:1'), (error: Error) => {
      assert.match(error.message, /NATS_URL: NATS at 127\.0\.0\.1:1 is unavailable/)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
    await assert.rejects(start(server.url), /NATS_URL: NATS at .* has no JetStream/)
    await assert.rejects(start('http://user:secret@127.0.0.1'), (error: Error) => {
      assert.match(error.message, /NATS_URL is not valid/)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  })
}
