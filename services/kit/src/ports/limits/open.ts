import type { EnvReader } from '../../config.js'
import type { Keys } from '../../keys.js'
import { Lifecycle } from '../../lifecycle.js'
import type { Logger } from '../../log.js'
import { createMemoryLimiter } from './memory.js'
import type { Limiter, LimitOptions } from './port.js'
import { createQuickLimiter, type QuickLimiter } from './quick.js'
import { createRedisLimiter } from './redis.js'
import { connectRedis, type RedisConnection } from './redis-connection.js'

/** Empty: each process counts for itself. */
export function readRedisUrl(env: EnvReader): string {
  const about =
    'a Redis in which all processes count limits together, as `redis://user:password@host:port`; empty: each counts for itself'
  const url = env.text('REDIS_URL', '', about)
  // The value may hold a password.
  if (url && !isRedisUrl(url)) {
    env.problems.push('REDIS_URL is not valid: it is redis://… or rediss://… (TLS)')
  }
  return url
}

function isRedisUrl(text: string) {
  if (!/^rediss?:\/\//.test(text) || !URL.canParse(text)) return false
  const { hostname, pathname, username, password } = new URL(text)
  try {
    decodeURIComponent(username + password)
  } catch {
    return false
  }
  return hostname !== '' && /^\/?\d*$/.test(pathname)
}

export type Limits = AsyncDisposable & {
  limiter(options: LimitOptions): Limiter
  quickLimiter(options: LimitOptions): QuickLimiter
}

/** The limiters of a service. Redis is connected to with the first of them. */
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
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
