import type { ServerResponse } from 'node:http'
import { type Allowance, requestWindowMs, tooManyRequests } from '@figbase/kit/limits'

const windowSeconds = requestWindowMs / 1000

/**
 * Sets the rate limit headers, those of the IETF draft and those of its earlier versions; returns an error if the limit
 * is exceeded.
 */
export function applyRateLimit(res: ServerResponse, allowance: Allowance) {
  const { limit, remaining, resetMs } = allowance
  const resetSeconds = Math.ceil(resetMs / 1000)
  res.setHeader('ratelimit', `"requests";r=${remaining};t=${resetSeconds}`)
  res.setHeader('ratelimit-policy', `"requests";q=${limit};w=${windowSeconds}`)
  res.setHeader('ratelimit-limit', limit)
  res.setHeader('ratelimit-remaining', remaining)
  res.setHeader('ratelimit-reset', resetSeconds)
  return allowance.isExceeded ? tooManyRequests(allowance) : undefined
}
