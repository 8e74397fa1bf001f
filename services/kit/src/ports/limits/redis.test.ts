import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { ConfigError } from '../../config.js'
import { keysFrom } from '../../keys.js'
import { startFaultyProxy } from '../../testing/faulty-proxy.js'
import { type RedisServer, startRedisServer, whyWithoutRedis } from '../../testing/redis-server.js'
import { limiterContract } from './contract.js'
import { openLimits } from './open.js'
import { createRedisLimiter } from './redis.js'
import { connectRedis, type RedisConnection } from './redis-connection.js'

const skip = whyWithoutRedis()
const keys = keysFrom('a secret of the tests')
const secret = keys.derive('keys of limits').current.key
const three = { name: 'three', pointsMax: 3, windowMs: 60_000 }
const away = 'Redis is away: each process counts limits for itself'
const back = 'Redis is back'

let server: RedisServer
const processes: Process[] = []

before(async () => {
  if (!skip) server = await startRedisServer()
})
after(async () => {
  for (const { connection } of processes) connection[Symbol.dispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Emits what it logs. */
class Process extends EventEmitter {
  readonly logged: string[] = []
  readonly connection: RedisConnection

  constructor(url = server.url) {
    super()
    const write = (line: string) => {
      const { msg } = JSON.parse(line) as { msg: string }
      this.logged.push(msg)
      this.emit(msg)
    }
    this.connection = connectRedis(url, pino({ level: 'info' }, { write }))
    processes.push(this)
  }

  limiter(options = three) {
    return createRedisLimiter({ ...options, secret, connection: this.connection })
  }
}

limiterContract(
  'Redis',
  async (options) => {
    const one = new Process()
    await one.connection.answered(10_000)
    return one.limiter({ ...options, name: randomUUID() })
  },
  skip,
)

test('Redis: two processes count together', { skip }, async () => {
  const options = { ...three, name: randomUUID() }
  const [one, other] = [new Process(), new Process()]
  await Promise.all([one.connection.answered(10_000), other.connection.answered(10_000)])
  await one.limiter(options).count('ann', 2)
  assert.equal((await other.limiter(options).peek('ann')).remaining, 1)
  assert.equal((await other.limiter(options).count('ann', 2)).isExceeded, true)
  assert.equal((await one.limiter(options).peek('ann')).isExceeded, true)
})

test('Redis: a key tells nothing of who is counted, and ends with its window', {
  skip,
}, async () => {
  const one = new Process()
  await one.connection.answered(10_000)
  const { client } = one.connection
  const name = `figbase:limit:test:${randomUUID()}`
  const limiter = one.limiter({ ...three, name })
  for (const key of ['ann@example.org', '192.0.2.1']) await limiter.count(key)
  const stored = await client.keys('*')
  const ours = stored.filter((key) => key.startsWith(`${name}:`))
  assert.equal(ours.length, 2)
  for (const key of stored) assert.doesNotMatch(key, /ann@|192\./)
  for (const key of ours) {
    assert.match(key.slice(name.length + 1), /^[\w-]{43}$/)
    const leftMs = await client.pTTL(key)
    assert.ok(leftMs > 0 && leftMs <= 60_000, `${leftMs} ms`)
  }
})

test('Redis: while it is away memory counts, at once; that is logged once, and its return', {
  skip,
}, async () => {
  await using own = await startRedisServer()
  const one = new Process(own.url)
  await one.connection.answered(10_000)
  const limiter = one.limiter()
  await limiter.count('ann')
  const isAway = once(one, away)
  await own.stop()
  await isAway
  const allowances = []
  for (let n = 0; n < 500; n++) allowances.push(await withoutWaiting(limiter.count('bob')))
  assert.equal(allowances.filter(({ isExceeded }) => !isExceeded).length, 3)
  assert.equal((await withoutWaiting(limiter.peek('bob'))).isExceeded, true)
  await withoutWaiting(limiter.forget('bob'))
  assert.equal((await withoutWaiting(limiter.peek('bob'))).remaining, 3)
  const isBack = once(one, back)
  await own.start()
  await isBack
  await limiter.count('ann')
  assert.equal((await one.connection.client.keys('three:*')).length, 1)
  assert.deepEqual(one.logged, [away, back])
})

test('Redis: one that does not work at the start is named, without its password', {
  skip,
}, async () => {
  await using gone = await startRedisServer()
  await gone.stop()
  await using proxy = await startFaultyProxy(server.url)
  proxy.set('silent')
  const wrong: [string, RegExp][] = [
    [gone.url, /ECONNREFUSED/],
    [proxy.url.replace('http', 'redis'), /no answer within 300 ms/],
    [server.url.replace('//', '//ann:secret@'), /WRONGPASS/],
    [`${server.url}/99`, /DB index/],
  ]
  const log = pino({ level: 'silent' })
  for (const [url, message] of wrong) {
    await using limits = await openLimits(url, { service: 'test', keys, log })
    await assert.rejects(limits.connected(300), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /^REDIS_URL: the Redis at 127\.0\.0\.1:\d+ cannot be used: /)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  }
  await using limits = await openLimits(server.url, { service: 'test', keys, log })
  await limits.connected(10_000)
  assert.equal(await limits.answers?.(), true)
})

test('Redis: one that falls silent delays few calls, and then none', { skip }, async () => {
  await using proxy = await startFaultyProxy(server.url)
  const one = new Process(proxy.url.replace('http', 'redis'))
  await one.connection.answered(10_000)
  const limiter = one.limiter({ ...three, name: randomUUID() })
  await limiter.count('ann')
  proxy.set('silent')
  // What is asked now waits for its timeout, and is counted all the same.
  let delayed = 0
  while (one.logged.length === 0) {
    delayed++
    assert.equal((await limiter.count('bob')).remaining, Math.max(0, 3 - delayed))
    assert.ok(delayed < 10, 'it is still asked')
  }
  for (let n = 0; n < 500; n++) await withoutWaiting(limiter.count('bob'))
  assert.equal((await limiter.peek('bob')).isExceeded, true)
  const isBack = once(one, back)
  proxy.set('none')
  await isBack
  assert.equal((await limiter.peek('ann')).remaining, 2)
  assert.deepEqual(one.logged, [away, back])
})

/** Fails when the answer takes more than what is computed here: a timer, or the network. */
async function withoutWaiting<T>(answer: Promise<T>): Promise<T> {
  let turns = 0
  const late = (async () => {
    for (; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
    throw new Error('the answer took several turns of the event loop')
  })()
  late.catch(() => {})
  return Promise.race([answer, late])
}
