import type { ServerResponse } from 'node:http'
import { type QuickLimiter, tooMany } from '@figbase/kit'

/** As whom a request is counted: its user, else its address; no address looks like the first. */
export const countedAs = (username: string, address: string): string =>
  username ? `user ${username}` : address

/** Counts a request and tells what is left; the refusal when there were too many. */
export function countRequest(requests: QuickLimiter, caller: string, res: ServerResponse) {
  const allowance = requests.count(caller)
  res.setHeader('ratelimit-limit', allowance.limit)
  res.setHeader('ratelimit-remaining', allowance.remaining)
  res.setHeader('ratelimit-reset', Math.ceil(allowance.resetMs / 1000))
  if (!allowance.isExceeded) return undefined
  return tooMany('too_many_requests', 'too many requests: wait a while', allowance)
}
