export type { BufferedLimiter } from './buffered.js'
export { type Limits, openLimits } from './open.js'
export type { Allowance, Limiter, LimitOptions } from './port.js'
export {
  createRequestLimiter,
  type RequestLimiter,
  requestWindowMs,
  tooManyRequests,
} from './requests.js'
export { readLimitSettings } from './settings.js'
