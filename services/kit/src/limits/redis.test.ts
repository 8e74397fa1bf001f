import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { ConfigError } from '../config/config.js'
import { keysFrom } from '../keys/keys.js'
import { startFaultyProxy } from '../testing/faulty-proxy.js'
import { type RedisServer, redisSkipReason, startRedisServer } from '../testing/redis-server.js'
import { limiterContract } from './contract.js'
import { openLimits } from './open.js'
import { createRedisLimiter } from './redis.js'
import { connectRedis, type RedisConnection } from './redis-connection.js'

const skip = redisSkipReason()
const keys = keysFrom('a secret of the tests')
const secret = keys.derive('keys of limits').current.key
const three = { name: 'three', pointsMax: 3, windowMs: 60_000 }
const unavailable = 'Redis is unavailable: each process counts limits for itself'
const available = 'Redis is available again'

let server: RedisServer
const processes: Process[] = []

before(async () => {
  if (!skip) server = await startRedisServer()
})
after(async () => {
  for (const { connection } of processes) connection[Symbol.dispose]()
  await server?.[Symbol.asyncDispose]()
})

/** Emits its log messages. */
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
    await one.connection.waitUntilReady(10_000)
    return one.limiter({ ...options, name: randomUUID() })
  },
  skip,
)

test('Redis: counts jointly for two processes', { skip }, async () => {
  const options = { ...three, name: randomUUID() }
  const [one, other] = [new Process(), new Process()]
  await Promise.all([
    one.connection.waitUntilReady(10_000),
    other.connection.waitUntilReady(10_000),
  ])
  await one.limiter(options).count('ann', 2)
  assert.equal((await other.limiter(options).peek('ann')).remaining, 1)
  assert.equal((await other.limiter(options).count('ann', 2)).isExceeded, true)
  assert.equal((await one.limiter(options).peek('ann')).isExceeded, true)
})

test('Redis: hashes keys and expires them with their window', {
  skip,
}, async () => {
  const one = new Process()
  await one.connection.waitUntilReady(10_000)
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

test('Redis: counts in memory while unavailable, and logs outage and recovery once', {
  skip,
}, async () => {
  await using own = await startRedisServer()
  const one = new Process(own.url)
  await one.connection.waitUntilReady(10_000)
  const limiter = one.limiter()
  await limiter.count('ann')
  const becameUnavailable = once(one, unavailable)
  await own.stop()
  await becameUnavailable
  const allowances = []
  for (let n = 0; n < 500; n++) allowances.push(await withoutWaiting(limiter.count('bob')))
  assert.equal(allowances.filter(({ isExceeded }) => !isExceeded).length, 3)
  assert.equal((await withoutWaiting(limiter.peek('bob'))).isExceeded, true)
  await withoutWaiting(limiter.reset('bob'))
  assert.equal((await withoutWaiting(limiter.peek('bob'))).remaining, 3)
  const becameAvailable = once(one, available)
  await own.start()
  await becameAvailable
  await limiter.count('ann')
  assert.equal((await one.connection.client.keys('three:*')).length, 1)
  assert.deepEqual(one.logged, [unavailable, available])
})

test('Redis: reports an unavailable server at startup without its password', {
  skip,
}, async () => {
  await using gone = await startRedisServer()
  await gone.stop()
  await using proxy = await startFaultyProxy(server.url)
  proxy.set('silent')
  const wrong: [string, RegExp][] = [
    [gone.url, /ECONNREFUSED/],
    [proxy.url.replace('http', 'redis'), /timed out after 300 ms/],
    [server.url.replace('//', '//ann:secret@'), /WRONGPASS/],
    [`${server.url}/99`, /DB index/],
  ]
  const log = pino({ level: 'silent' })
  for (const [url, message] of wrong) {
    await using limits = await openLimits(url, { service: 'test', keys, log })
    await assert.rejects(limits.waitUntilConnected(300), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.match(error.message, /^REDIS_URL: Redis at 127\.0\.0\.1:\d+ is unavailable: /)
      assert.match(error.message, message)
      assert.doesNotMatch(error.message, /secret/)
      return true
    })
  }
  await using limits = await openLimits(server.url, { service: 'test', keys, log })
  await limits.waitUntilConnected(10_000)
  assert.equal(await limits.isAvailable?.(), true)
})

test('Redis: delays only a few calls when the server becomes unresponsive', { skip }, async () => {
  await using proxy = await startFaultyProxy(server.url)
  const one = new Process(proxy.url.replace('http', 'redis'))
  await one.connection.waitUntilReady(10_000)
  const limiter = one.limiter({ ...three, name: randomUUID() })
  await limiter.count('ann')
  proxy.set('silent')
  // Calls now wait for their timeout and are still counted.
  let delayed = 0
  while (one.logged.length === 0) {
    delayed++
    assert.equal((await limiter.count('bob')).remaining, Math.max(0, 3 - delayed))
    assert.ok(delayed < 10, 'still sending to Redis')
  }
  for (let n = 0; n < 500; n++) await withoutWaiting(limiter.count('bob'))
  assert.equal((await limiter.peek('bob')).isExceeded, true)
  const becameAvailable = once(one, available)
  proxy.set('none')
  await becameAvailable
  assert.equal((await limiter.peek('ann')).remaining, 2)
  assert.deepEqual(one.logged, [unavailable, available])
})

/** Fails if the result needs a timer or the network. */
async function withoutWaiting<T>(answer: Promise<T>): Promise<T> {
  let turns = 0
  const late = (async () => {
    for (; turns < 3; turns++) await new Promise((resolve) => setImmediate(resolve))
    throw new Error('the result took several turns of the event loop')
  })()
  late.catch(() => {})
  return Promise.race([answer, late])
}
