import type { EnvReader } from '../config/config.js'

/** Settings of the event bus and its consumers. */
export const readEventSettings = (env: EnvReader) => ({
  natsUrl: natsUrl(env),
  retentionMs: env.duration(
    'EVENT_RETENTION',
    '1d',
    'how long published events are retained, to resend them if the bus loses them',
  ),
  concurrency: positive(env, 'EVENT_CONCURRENCY', 4, 'events that a service handles concurrently'),
  timeoutMs: env.duration('EVENT_TIMEOUT', '30s', 'timeout for handling one event'),
  attemptsMax: positive(
    env,
    'EVENT_ATTEMPTS_MAX',
    15,
    'attempts before an event becomes a dead letter',
  ),
  delayMinMs: env.duration(
    'EVENT_RETRY_DELAY_MIN',
    '500ms',
    'delay before the first retry of an event; doubles with each attempt',
  ),
  delayMaxMs: env.duration(
    'EVENT_RETRY_DELAY_MAX',
    '10m',
    'maximum delay before a retry of an event',
  ),
})

export type EventSettings = ReturnType<typeof readEventSettings>

function positive(env: EnvReader, name: string, fallback: number, about: string): number {
  const value = env.int(name, fallback, about)
  if (value < 1) env.problems.push(`${name}: must be at least 1 (${about})`)
  return value
}

function natsUrl(env: EnvReader): string {
  const about =
    'URL of a NATS server with JetStream as the event bus, as `nats://user:password@host:port`; empty: PostgreSQL is the event bus'
  const url = env.text('NATS_URL', '', about)
  const isValid = url
    .split(',')
    .every((one) => /^(nats|tls):\/\//.test(one.trim()) && URL.canParse(one.trim()))
  // The value may contain a password.
  if (url && !isValid) env.problems.push('NATS_URL is not valid: must begin with nats:// or tls://')
  return url
}
