import type { Keys } from '../../keys.js'
import { Lifecycle } from '../../lifecycle.js'
import type { Logger } from '../../log.js'
import { createMemoryLimiter } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import { createQuickLimiter, type QuickLimiter } from './quick.js'
import { createRedisLimiter } from './redis.js'
import { connectRedis, type RedisConnection } from './redis-connection.js'

export type Limits = AsyncDisposable & {
  limiter(options: LimitOptions): Limiter
  quickLimiter(options: LimitOptions): QuickLimiter
  /** Waits for Redis, but not long. */
  settled(): Promise<unknown>
}

/** The limiters of a service. `redisUrl` may be empty: then each process counts for itself. Redis is connected to with the first of them. */
export function openLimits(
  redisUrl: string,
  { service, keys, log }: { service: string; keys: Keys; log: Logger },
): Limits {
  const lifecycle = new Lifecycle()
  let connection: RedisConnection | undefined

  const redis = () => {
    if (connection) return connection
    const opened = connectRedis(redisUrl, log)
    lifecycle.onStop(() => opened[Symbol.dispose]())
    connection = opened
    return opened
  }

  const limiter = (options: LimitOptions) => {
    if (!redisUrl) return createMemoryLimiter(options)
    const name = `figbase:limit:${service}:${options.name}`
    const secret = keys.derive('keys of limits').current.key
    return createRedisLimiter({ ...options, name, secret, connection: redis() })
  }

  return {
    limiter,
    quickLimiter(options) {
      const quick = createQuickLimiter(options, redisUrl ? limiter(options) : undefined)
      lifecycle.onStop(() => quick[Symbol.dispose]())
      return quick
    },
    settled: async () => connection?.settled,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
