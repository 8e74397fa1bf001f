export { tryWithin } from './memoize.js'
export { withTimeout } from './with-timeout.js'
