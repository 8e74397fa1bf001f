import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { openDeadLetters } from '../../src/events/dead-letters.js'
import { shardOf } from '../../src/events/shard.js'
import { newOrderedId } from '../../src/ids.js'
import { createTestDatabase, databaseAt } from '../../src/testing/index.js'
import { ended, type Shop, type ShopOptions, startShop } from './shop.js'

export type BusUnderTest = AsyncDisposable & {
  natsUrl?: string
  /** Wipes the bus while services run. */
  wipe(databaseUrl: string): Promise<void>
  /** Settings of processes that do not use the database's URL directly. */
  connectionSettings?(databaseUrl: string): Promise<Record<string, string>>
}

/** What both buses must do. */
export function eventContract(openBus: () => Promise<BusUnderTest>): void {
  test('handles committed events once, and rolled back events never', async () => {
    await using at = await open()
    const shop = await at.start({ consumers: { note: () => {} } })
    await shop.publish('a', 1)
    const { kit } = shop
    const rolledBack = kit.transact(async (tx) => {
      await kit.publish(tx, ended, { name: 'a', number: 2 })
      throw new Error('rolled back')
    })
    await assert.rejects(rolledBack, /rolled back/)
    await shop.publish('a', 3)
    await until(async () => (await numbers(shop, 'a')).includes(3))
    assert.deepEqual(await numbers(shop, 'a'), [1, 3])
    assert.deepEqual(await queued(shop), { outbox: 0, parked: 0, dead: 0 })
  })

  test('handles events of a key in order, with several processes and when one leaves', async () => {
    await using at = await open()
    const consumers = { note: () => {}, other: () => {} }
    const shops = [await at.start({ consumers }), await at.start({ consumers })]
    const leaver = await at.start({ consumers })
    const [first] = shops
    assert.ok(first)
    const keys = Array.from({ length: 12 }, (_, index) => `key ${index}`)
    const publishAll = keys.map(async (key, index) => {
      for (let n = 1; n <= 40; n++) await shops[(index + n) % 2]?.publish(key, n)
    })
    await until(async () => (await effects(first)) > 100)
    await leaver[Symbol.asyncDispose]()
    await Promise.all(publishAll)
    await until(async () => (await effects(first)) >= 2 * 12 * 40)
    for (const consumer of ['note', 'other']) {
      for (const key of keys) {
        const expected = Array.from({ length: 40 }, (_, index) => index + 1)
        assert.deepEqual(await numbers(first, key, consumer), expected)
      }
    }
  })

  test('distributes the shards among the processes', async () => {
    await using at = await open()
    const busy = new Set<string>()
    const first = await at.start({ consumers: { note: () => busy.add('first') } })
    await at.start({ consumers: { note: () => busy.add('second') } })
    let n = 0
    await until(async () => {
      for (let key = 0; key < 32; key++) await first.publish(`${key}`, ++n)
      return busy.size === 2
    })
  })

  test('after a failure parks the key, continues with others, and retries', async () => {
    await using at = await open()
    let mayWork = false
    const note = ({ name, number }: { name: string; number: number }) => {
      if (name === 'bad' && number === 1 && !mayWork) throw new Error('not yet')
    }
    const shop = await at.start({ consumers: { note } })
    for (const n of [1, 2, 3]) await shop.publish('bad', n)
    for (const n of [1, 2, 3]) await shop.publish('good', n)
    await until(async () => (await numbers(shop, 'good')).length === 3)
    await until(async () => (await attempts(shop)) >= 3)
    assert.deepEqual(await numbers(shop, 'bad'), [])
    mayWork = true
    await until(async () => (await numbers(shop, 'bad')).length === 3)
    assert.deepEqual(await numbers(shop, 'bad'), [1, 2, 3])
    await until(async () => (await queued(shop)).parked === 0)
  })

  test('doubles the delay between attempts, with jitter', async () => {
    await using at = await open()
    const times: number[] = []
    const note = () => {
      times.push(performance.now())
      if (times.length < 5) throw new Error('again')
    }
    const env = { EVENT_RETRY_DELAY_MIN: '200ms' }
    const shop = await at.start({ consumers: { note }, env })
    await shop.publish('a', 1)
    await until(async () => (await numbers(shop, 'a')).length === 1)
    // The first failure is that of the shared transaction; the single event follows at once.
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    assert.ok((waits[1] ?? 0) >= 100, `${waits}`)
    assert.ok((waits[2] ?? 0) >= 200, `${waits}`)
    assert.ok((waits[3] ?? 0) >= 400, `${waits}`)
  })

  test('an event that fails too often becomes a dead letter, its key continues, and a replay handles it', async () => {
    await using at = await open()
    let mayWork = false
    const note = ({ number }: { number: number }) => {
      if (number === 1 && !mayWork) throw new Error('broken for now')
    }
    const shop = await at.start({ consumers: { note }, env: { EVENT_ATTEMPTS_MAX: '3' } })
    await shop.publish('a', 1)
    await shop.publish('a', 2)
    await until(async () => (await queued(shop)).dead === 1)
    await until(async () => (await numbers(shop, 'a')).length === 1)
    assert.deepEqual(await numbers(shop, 'a'), [2])
    await using letters = await openDeadLetters(
      async () => databaseAt(at.databaseUrl),
      ['nobody', 'shop'],
    )
    const [letter, ...others] = await letters.list()
    assert.equal(others.length, 0)
    assert.equal(letter?.consumer, 'shop.note')
    assert.equal(letter?.attempts, 3)
    assert.match(letter?.error ?? '', /broken for now/)
    assert.deepEqual(letter?.event.payload, { name: 'a', number: 1 })

    mayWork = true
    assert.equal(await letters.replay(newOrderedId()), 0)
    assert.equal(await letters.replay(letter.event.id), 1)
    await until(async () => (await numbers(shop, 'a')).length === 2)
    assert.deepEqual(await queued(shop), { outbox: 0, parked: 0, dead: 0 })
  })

  test('times out a slow handler without effect', async () => {
    await using at = await open()
    let aborted = 0
    const note = async (_: unknown, signal: AbortSignal, attempt: number) => {
      if (attempt > 2) return
      signal.addEventListener('abort', () => aborted++)
      await new Promise(() => {})
    }
    const shop = await at.start({ consumers: { note }, env: { EVENT_TIMEOUT: '100ms' } })
    await shop.publish('a', 1)
    await until(async () => (await numbers(shop, 'a')).length === 1)
    assert.equal(aborted, 2)
    assert.deepEqual(await numbers(shop, 'a'), [1])
  })

  test('a slow event does not delay other keys', async () => {
    await using at = await open()
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    let end = () => {}
    const ending = new Promise<void>((resolve) => {
      end = resolve
    })
    const note = async ({ name }: { name: string }) => {
      if (name !== 'slow') return
      begin()
      await ending
    }
    const shop = await at.start({ consumers: { note } })
    await shop.publish('slow', 1)
    await begun
    const others = keysOfOtherShards('slow')
    for (const key of others) await shop.publish(key, 1)
    await until(async () => (await effects(shop)) === others.length)
    end()
    await until(async () => (await numbers(shop, 'slow')).length === 1)
  })

  test('handles an event once that the relay sends twice', async () => {
    await using at = await open()
    const shop = await at.start({ consumers: { note: () => {} } })
    for (const n of [1, 2, 3]) await shop.publish('a', n)
    await until(async () => (await numbers(shop, 'a')).length === 3)
    await until(async () => (await queued(shop)).outbox === 0)
    // Like a crash between sending and recording, outside of the broker's deduplication window.
    await sql`with again as (delete from outbox_sent returning published_on, message)
      insert into outbox (published_on, message) select * from again`.execute(shop.kit.db)
    await shop.publish('a', 4)
    await until(async () => (await numbers(shop, 'a')).includes(4))
    assert.deepEqual(await numbers(shop, 'a'), [1, 2, 3, 4])
  })

  test('resends retained events in order to a wiped bus under load', async () => {
    await using at = await open()
    const shop = await at.start({ consumers: { note: () => sleep(1) } })
    let n = 0
    const publishSome = async (count: number) => {
      for (const end = n + count; n < end; ) await shop.publish('a', ++n)
    }
    await publishSome(50)
    for (let time = 0; time < 3; time++) {
      const publishing = publishSome(100)
      await at.bus.wipe(at.databaseUrl)
      await publishing
    }
    await until(async () => (await numbers(shop, 'a')).length >= n)
    assert.deepEqual(
      await numbers(shop, 'a'),
      Array.from({ length: n }, (_, index) => index + 1),
    )
  })

  test('keeps events for an inactive consumer, also if the bus is wiped', async () => {
    await using at = await open()
    const before = await at.start({ consumers: { note: () => {} } })
    await before.publish('a', 1)
    await until(async () => (await numbers(before, 'a')).length === 1)
    await before[Symbol.asyncDispose]()
    const publisher = await at.start({})
    for (const n of [2, 3]) await publisher.publish('a', n)
    await until(async () => (await queued(publisher)).outbox === 0)
    await at.bus.wipe(at.databaseUrl)
    await publisher.publish('a', 4)
    const shop = await at.start({ consumers: { note: () => {} } })
    await until(async () => (await numbers(shop, 'a')).length === 4)
    assert.deepEqual(await numbers(shop, 'a'), [1, 2, 3, 4])
  })

  test('a new consumer gets the retained events', async () => {
    await using at = await open()
    const publisher = await at.start({ consumers: { note: () => {} } })
    for (const n of [1, 2, 3]) await publisher.publish('a', n)
    await until(async () => (await queued(publisher)).outbox === 0)
    const shop = await at.start({ consumers: { late: () => {} } })
    await until(async () => (await numbers(shop, 'a', 'late')).length === 3)
    assert.deepEqual(await numbers(shop, 'a', 'late'), [1, 2, 3])
  })

  test('shutdown waits for the event in progress', async () => {
    await using at = await open()
    let begin = () => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const note = async () => {
      begin()
      await sleep(300)
    }
    const shop = await at.start({ consumers: { note } })
    await shop.publish('a', 1)
    await begun
    await shop[Symbol.asyncDispose]()
    const after = await at.start({})
    assert.deepEqual(await numbers(after, 'a'), [1])
  })

  test('a broadcast reaches every process, and one that is too long is rejected', async () => {
    await using at = await open()
    const received: unknown[] = []
    const shops = [await at.start({}), await at.start({})]
    for (const shop of shops) await shop.kit.listen('cancel', (message) => received.push(message))
    const [first] = shops
    await first?.kit.broadcast('something else', 1)
    await first?.kit.broadcast('cancel', { id: 'ä' })
    await until(async () => received.length === 2)
    assert.deepEqual(received, [{ id: 'ä' }, { id: 'ä' }])
    await assert.rejects(async () => first?.kit.broadcast('cancel', 'x'.repeat(7000)), RangeError)
  })

  async function open() {
    const database = await createTestDatabase()
    const bus = await openBus()
    const connectionSettings = await bus.connectionSettings?.(database.url)
    const shops: Shop[] = []
    return {
      bus,
      databaseUrl: database.url,
      async start(options: Omit<ShopOptions, 'databaseUrl' | 'natsUrl'>): Promise<Shop> {
        const { natsUrl = '' } = bus
        const env = { ...connectionSettings, ...options.env }
        const shop = await startShop({ ...options, env, databaseUrl: database.url, natsUrl })
        let stopping: Promise<void> | undefined
        const once = {
          ...shop,
          async [Symbol.asyncDispose]() {
            stopping ??= Promise.resolve(shop[Symbol.asyncDispose]())
            await stopping
          },
        }
        shops.push(once)
        return once
      },
      async [Symbol.asyncDispose]() {
        for (const shop of shops) await shop[Symbol.asyncDispose]()
        await bus[Symbol.asyncDispose]()
        await database[Symbol.asyncDispose]()
      },
    }
  }
}

const keysOfOtherShards = (key: string) =>
  Array.from({ length: 20 }, (_, n) => `key ${n}`).filter((one) => shardOf(one) !== shardOf(key))

// Less than the timeout of an event.
const waitMs = 25_000

/** Polls a condition: events cross processes, so only their effects can be observed. */
export async function until(holds: () => Promise<boolean>, ms = waitMs): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`condition not met within ${ms} ms`)
    await sleep(20)
  }
}

/** The numbers of a key that a consumer has handled, in order. */
export async function numbers(shop: Shop, key: string, consumer = 'note'): Promise<number[]> {
  const { rows } = await sql<{ n: number }>`select n from effect
    where key = ${key} and consumer = ${consumer} order by seq`.execute(shop.kit.db)
  return rows.map((row) => row.n)
}

export async function count(shop: Shop, table: string): Promise<number> {
  const { rows } = await sql<{
    n: number
  }>`select count(*)::int as n from ${sql.table(table)}`.execute(shop.kit.db)
  return rows[0]?.n ?? 0
}

export const effects = (shop: Shop) => count(shop, 'effect')

export async function queued(shop: Shop) {
  return {
    outbox: await count(shop, 'outbox'),
    parked: await count(shop, 'parked'),
    dead: await count(shop, 'dead_letter'),
  }
}

async function attempts(shop: Shop): Promise<number> {
  const { rows } = await sql<{ n: number }>`select max(attempts) as n from parked`.execute(
    shop.kit.db,
  )
  return rows[0]?.n ?? 0
}
