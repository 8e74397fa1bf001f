import { ConfigError } from '../../config.js'
import type { Keys } from '../../keys.js'
import { Lifecycle } from '../../lifecycle.js'
import type { Logger } from '../../log.js'
import type { Check } from '../../operations/readiness.js'
import { createMemoryLimiter } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import { createQuickLimiter, type QuickLimiter } from './quick.js'
import type { RedisConnection } from './redis-connection.js'

export type Limits = AsyncDisposable & {
  limiter(options: LimitOptions): Limiter
  quickLimiter(options: LimitOptions): QuickLimiter
  /** Throws a ConfigError when the settings name a Redis that does not answer within `timeoutMs`. */
  connected(timeoutMs: number): Promise<void>
  /** Whether Redis answers; undefined where there is none. */
  answers?: Check
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
    connected: async (timeoutMs) => redis?.connected(timeoutMs),
    ...(redis && { answers: redis.answers }),
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
  const connect = () => {
    if (connection) return connection
    const opened = connectRedis(url, log)
    lifecycle.onStop(() => opened[Symbol.dispose]())
    connection = opened
    return opened
  }
  return {
    limiter(options: LimitOptions): Limiter {
      const name = `figbase:limit:${service}:${options.name}`
      return createRedisLimiter({ ...options, name, secret, connection: connect() })
    },
    async connected(timeoutMs: number) {
      try {
        await connect().answered(timeoutMs)
      } catch (cause) {
        const why = cause instanceof Error ? cause.message || cause.name : String(cause)
        const message = `REDIS_URL: the Redis at ${new URL(url).host} cannot be used: ${why}`
        throw new ConfigError(message, { cause })
      }
    },
    answers: async () => connect().client.isReady,
  }
}
