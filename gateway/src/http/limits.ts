import type { ServerResponse } from 'node:http'
import { type Allowance, tooManyRequests } from '@figbase/kit'

/** Tells a caller how much is left; the refusal when there was too much. */
export function tellAllowance(res: ServerResponse, allowance: Allowance) {
  res.setHeader('ratelimit-limit', allowance.limit)
  res.setHeader('ratelimit-remaining', allowance.remaining)
  res.setHeader('ratelimit-reset', Math.ceil(allowance.resetMs / 1000))
  return allowance.isExceeded ? tooManyRequests(allowance) : undefined
}
