import type { EnvReader } from '../../config.js'

/** What every process reads, the gateway too. */
export const readLimitSettings = (env: EnvReader) => ({
  redisUrl: redisUrl(env),
  requestsPerMinuteMax: env.positiveInt(
    'REQUESTS_PER_MINUTE_MAX',
    60_000,
    'requests of a user, or of an address that did not sign in, in a minute',
  ),
})

function redisUrl(env: EnvReader): string {
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
