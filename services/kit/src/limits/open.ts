import { ConfigError } from '../config/config.js'
import type { Keys } from '../keys/keys.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import type { Logger } from '../log.js'
import type { Check } from '../operations/readiness.js'
import { type BufferedLimiter, createBufferedLimiter } from './buffered.js'
import { createMemoryLimiter } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import type { RedisConnection } from './redis-connection.js'

export type Limits = AsyncDisposable & {
  limiter(options: LimitOptions): Limiter
  bufferedLimiter(options: LimitOptions): BufferedLimiter
  /** Throws a ConfigError if Redis is configured and does not respond within `timeoutMs`. */
  waitUntilConnected(timeoutMs: number): Promise<void>
  /** Undefined without Redis. */
  isAvailable?: Check
}

type Options = { service: string; keys: Keys; log: Logger }

/**
 * The limiters of a service. With an empty `redisUrl`, each process counts for itself. Redis is connected with the
 * first limiter.
 */
export async function openLimits(redisUrl: string, options: Options): Promise<Limits> {
  const lifecycle = new Lifecycle()
  const redis = redisUrl ? await openRedis(redisUrl, options, lifecycle) : undefined
  const limiter = redis?.limiter ?? createMemoryLimiter
  return {
    limiter: (options) => limiter(options),
    bufferedLimiter(options) {
      const buffered = createBufferedLimiter(options, redis && limiter(options))
      lifecycle.onStop(() => buffered[Symbol.dispose]())
      return buffered
    },
    waitUntilConnected: async (timeoutMs) => redis?.waitUntilConnected(timeoutMs),
    ...(redis && { isAvailable: redis.isAvailable }),
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}

/** Loads the library on demand, for a faster startup without Redis. */
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
    async waitUntilConnected(timeoutMs: number) {
      try {
        await connect().waitUntilReady(timeoutMs)
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
        const message = `REDIS_URL: Redis at ${new URL(url).host} is unavailable: ${reason}`
        throw new ConfigError(message, { cause })
      }
    },
    isAvailable: async () => connect().client.isReady,
  }
}
