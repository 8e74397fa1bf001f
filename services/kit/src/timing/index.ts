export { type ConcurrencyLimit, createConcurrencyLimit } from './concurrency-limit.js'
export { tryWithin } from './memoize.js'
export { PollInterval } from './poll-interval.js'
export { TimedOut, withTimeout } from './with-timeout.js'
