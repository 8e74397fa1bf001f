import type { Keys } from '../../keys.js'
import { Lifecycle } from '../../lifecycle.js'
import type { Logger } from '../../log.js'
import { createMemoryLimiter } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import { createQuickLimiter, type QuickLimiter } from './quick.js'
import type { RedisConnection } from './redis-connection.js'

export type Limits = AsyncDisposable & {
  limiter(options: LimitOptions): Limiter
  quickLimiter(options: LimitOptions): QuickLimiter
  /** Waits for Redis, but not long. */
  settled(): Promise<unknown>
}

type Options = { service: string; keys: Keys; log: Logger }

/** The limiters of a service. `redisUrl` may be empty: then each process counts for itself. Redis is connected to with the first of them. */
export async function openLimits(redisUrl: string, options: Options): Promise<Limits> {
  const lifecycle = new Lifecycle()
  const redis = redisUrl ? await openRedis(redisUrl, options, lifecycle) : undefined
  const limiter = redis?.limiter ?? createMemoryLimiter
  return {
    limiter: (options) => limiter(options),
    quickLimiter(options) {
      const quick = createQuickLimiter(options, redis && limiter(options))
      lifecycle.onStop(() => quick[Symbol.dispose]())
      return quick
    },
    settled: async () => redis?.settled(),
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

/** Its library is loaded only where it is used: a start without it is faster. */
async function openRedis(url: string, { service, keys, log }: Options, lifecycle: Lifecycle) {
  const [{ createRedisLimiter }, { connectRedis }] = await Promise.all([
    import('./redis.js'),
    import('./redis-connection.js'),
  ])
  const secret = keys.derive('keys of limits').current.key
  let connection: RedisConnection | undefined
  const connected = () => {
    if (connection) return connection
    const opened = connectRedis(url, log)
    lifecycle.onStop(() => opened[Symbol.dispose]())
    connection = opened
    return opened
  }
  return {
    limiter(options: LimitOptions): Limiter {
      const name = `figbase:limit:${service}:${options.name}`
      return createRedisLimiter({ ...options, name, secret, connection: connected() })
    },
    settled: async () => connection?.settled,
  }
}
