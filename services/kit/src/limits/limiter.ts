import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Allowance, Limiter, LimitOptions } from './port.js'

/** Options of a `rate-limiter-flexible` store. */
export const storeOptions = ({ name, pointsMax, windowMs }: LimitOptions) => {
  // A window of 0 s would never expire in Redis.
  if (windowMs < 1000 || windowMs % 1000 !== 0)
    throw new RangeError(`${name}: windowMs must be whole seconds`)
  if (!(pointsMax >= 1)) throw new RangeError(`${name}: pointsMax must be at least 1`)
  return { keyPrefix: name, points: pointsMax, duration: windowMs / 1000 }
}

/** A limiter on one of the library's stores. */
export function limiterOn(store: RateLimiterAbstract, { pointsMax }: LimitOptions): Limiter {
  const allowance = (counted: RateLimiterRes | null, upcoming: number): Allowance => {
    const isRunning = counted !== null && counted.msBeforeNext > 0
    const points = isRunning ? counted.consumedPoints : 0
    return {
      isExceeded: points + upcoming > pointsMax,
      limit: pointsMax,
      remaining: Math.max(0, pointsMax - points),
      resetMs: isRunning ? counted.msBeforeNext : 0,
    }
  }
  return {
    async count(key, points = 1) {
      return allowance(key === '' ? null : await store.penalty(key, points), 0)
    },
    peek: async (key) => allowance(await store.get(key), 1),
    async reset(key) {
      await store.delete(key)
    },
  }
}
