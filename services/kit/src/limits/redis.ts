import { createHmac, type KeyObject } from 'node:crypto'
import { RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import { limiterOn, storeOptions } from './limiter.js'
import { BoundedMemory } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import type { RedisConnection } from './redis-connection.js'

export type RedisLimiterOptions = LimitOptions & {
  connection: RedisConnection
  /** Keys are hashed with it, so that Redis does not store usernames or addresses. */
  secret: KeyObject
}

/** After this time without a response, a call is counted in memory. */
const answerTimeoutMs = 1000

/** Counts jointly with all processes on the same Redis; in memory while it is unavailable. */
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
    reset: (key) => limiter.reset(hashed(key)),
  }
}
