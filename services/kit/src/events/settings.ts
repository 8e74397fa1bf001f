import type { EnvReader } from '../config.js'

/** How events are carried and handled. */
export const readEventSettings = (env: EnvReader) => ({
  natsUrl: natsUrl(env),
  retentionMs: env.duration(
    'EVENT_RETENTION',
    '1d',
    'how long events are kept after they were handed to the bus, for a bus that loses them',
  ),
  concurrency: positive(env, 'EVENT_CONCURRENCY', 4, 'events that a service handles at a time'),
  timeoutMs: env.duration('EVENT_TIMEOUT', '30s', 'how long handling one event may take'),
  attemptsMax: positive(
    env,
    'EVENT_ATTEMPTS_MAX',
    15,
    'times that an event is tried before it is a dead letter',
  ),
  delayMinMs: env.duration(
    'EVENT_RETRY_DELAY_MIN',
    '500ms',
    'the wait before an event is tried again; it doubles with each attempt',
  ),
  delayMaxMs: env.duration('EVENT_RETRY_DELAY_MAX', '10m', 'the longest such wait'),
})

export type EventSettings = ReturnType<typeof readEventSettings>

function positive(env: EnvReader, name: string, fallback: number, about: string): number {
  const value = env.int(name, fallback, about)
  if (value < 1) env.problems.push(`${name}: it must be 1 at least (${about})`)
  return value
}

function natsUrl(env: EnvReader): string {
  const about =
    'a NATS server with JetStream that carries the events, as `nats://user:password@host:port`; empty: PostgreSQL does'
  const url = env.text('NATS_URL', '', about)
  const isValid = url
    .split(',')
    .every((one) => /^(nats|tls):\/\//.test(one.trim()) && URL.canParse(one.trim()))
  // The value may hold a password.
  if (url && !isValid) env.problems.push('NATS_URL is not valid: it begins with nats:// or tls://')
  return url
}
