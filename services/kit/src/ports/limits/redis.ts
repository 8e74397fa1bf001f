import { createHmac, type KeyObject } from 'node:crypto'
import { RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import { limiterOn, storeOptions } from './limiter.js'
import { BoundedMemory } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import type { RedisConnection } from './redis-connection.js'

export type RedisLimiterOptions = LimitOptions & {
  connection: RedisConnection
  /** Whoever reads Redis learns no key that is counted: it is told what this makes of it. */
  secret: KeyObject
}

/** How long one call may wait for a Redis that does not answer, before memory counts. */
const answerTimeoutMs = 1000

/** Counts together with all processes on the same Redis; in memory while that is away. */
export function createRedisLimiter(options: RedisLimiterOptions): Limiter {
  const { connection, secret, ...limit } = options
  const hashed = (key: string) =>
    key && createHmac('sha256', secret).update(key).digest('base64url')
  const limiter = limiterOn(
    new RLWrapperTimeouts({
      limiter: new RateLimiterRedis({
        ...storeOptions(limit),
        storeClient: connection.client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
      }),
      insuranceLimiter: new BoundedMemory(limit),
      timeoutMs: answerTimeoutMs,
    }),
    limit,
  )
  return {
    count: (key, points) => limiter.count(hashed(key), points),
    peek: (key) => limiter.peek(hashed(key)),
    forget: (key) => limiter.forget(hashed(key)),
  }
}
