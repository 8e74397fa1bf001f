import type { EnvReader } from '../config/config.js'

/** Settings of every process, including the gateway. */
export const readLimitSettings = (env: EnvReader) => ({
  redisUrl: redisUrl(env),
  requestsPerMinuteMax: env.positiveInt(
    'REQUESTS_PER_MINUTE_MAX',
    60_000,
    'maximum requests per minute of a user, or of an address that is not signed in',
  ),
})

function redisUrl(env: EnvReader): string {
  const about =
    'URL of a Redis in which all processes count rate limits jointly, as `redis://user:password@host:port`; empty: each process counts for itself'
  const url = env.text('REDIS_URL', '', about)
  // The value may contain a password.
  if (url && !isRedisUrl(url)) {
    env.problems.push('REDIS_URL is not valid: must begin with redis:// or rediss:// (TLS)')
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
