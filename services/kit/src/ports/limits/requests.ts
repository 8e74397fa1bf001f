import { tooMany } from '../../errors.js'
import type { Allowance, LimitOptions } from './port.js'
import type { QuickLimiter } from './quick.js'

/** Counts all that one caller asks for, whatever it is. */
export type RequestLimiter = {
  /** An address is that of `clientAddressOf`; it counts where nobody signed in. */
  count(username: string, address: string): Allowance
}

/** `limits`: those of the service in which it counts. */
export function createRequestLimiter(
  limits: { quickLimiter(options: LimitOptions): QuickLimiter },
  requestsPerMinuteMax: number,
): RequestLimiter {
  const requests = limits.quickLimiter({
    name: 'requests',
    pointsMax: requestsPerMinuteMax,
    windowMs: 60_000,
  })
  // No address begins like this.
  return { count: (username, address) => requests.count(username ? `user ${username}` : address) }
}

export const tooManyRequests = (allowance: Allowance) =>
  tooMany('too_many_requests', 'too many requests: wait a while', allowance)
