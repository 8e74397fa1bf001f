import type { ServerResponse } from 'node:http'
import { type Allowance, tooManyRequests } from '@figbase/kit/limits'

/** Sets the rate limit headers; returns an error if the limit is exceeded. */
export function applyRateLimit(res: ServerResponse, allowance: Allowance) {
  res.setHeader('ratelimit-limit', allowance.limit)
  res.setHeader('ratelimit-remaining', allowance.remaining)
  res.setHeader('ratelimit-reset', Math.ceil(allowance.resetMs / 1000))
  return allowance.isExceeded ? tooManyRequests(allowance) : undefined
}
