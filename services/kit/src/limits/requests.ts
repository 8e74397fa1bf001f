import { tooMany } from '../errors/errors.js'
import type { BufferedLimiter } from './buffered.js'
import type { Allowance, LimitOptions } from './port.js'

/** Of the limit of requests. */
export const requestWindowMs = 60_000

/** Counts all requests of a user, or of an address without a user. */
export type RequestLimiter = {
  /** `address` is a result of `clientAddressOf`; it is counted if `username` is empty. */
  count(username: string, address: string): Allowance
}

/** `limits`: those of the service that counts. */
export function createRequestLimiter(
  limits: { bufferedLimiter(options: LimitOptions): BufferedLimiter },
  requestsPerMinuteMax: number,
): RequestLimiter {
  const requests = limits.bufferedLimiter({
    name: 'requests',
    pointsMax: requestsPerMinuteMax,
    windowMs: requestWindowMs,
  })
  // No address begins with `user `.
  return { count: (username, address) => requests.count(username ? `user ${username}` : address) }
}

export const tooManyRequests = (allowance: Allowance) =>
  tooMany('too_many_requests', 'too many requests', allowance)
