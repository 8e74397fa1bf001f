import { tooMany } from '@figbase/kit/errors'
import type { Allowance, Limiter } from '@figbase/kit/limits'
import type { Payer } from '../insight/payer.js'

export const rateWindowMs = 60_000
/** The limit of a plan is compared here, because the limiter has one limit for all keys. */
export const ratePointsMax = 2 ** 31 - 1

/** Counts a request; 429 beyond the rate of the plan. */
export async function countRequest(rate: Limiter, payer: Payer): Promise<void> {
  if (payer.requestsPerMinuteMax === null) return
  const allowance = withinPlan(await rate.count(keyOf(payer)), payer.requestsPerMinuteMax)
  if (allowance.remaining < 0) throw rateExceeded(allowance)
}

/** The requests that are left in this minute; null: unlimited. */
export async function requestsLeft(rate: Limiter, payer: Payer): Promise<number | null> {
  if (payer.requestsPerMinuteMax === null) return null
  return Math.max(
    0,
    withinPlan(await rate.peek(keyOf(payer)), payer.requestsPerMinuteMax).remaining,
  )
}

const keyOf = ({ holderId, username }: Payer) => `${holderId} ${username}`

function withinPlan(allowance: Allowance, limit: number) {
  const counted = allowance.limit - allowance.remaining
  return { ...allowance, limit, remaining: limit - counted }
}

const rateExceeded = (allowance: Allowance) =>
  tooMany('ai_rate_exceeded', 'too many requests to AI in this minute', allowance)
