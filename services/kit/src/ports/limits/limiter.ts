import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import type { Allowance, Limiter, LimitOptions } from './port.js'

/** What a store of `rate-limiter-flexible` is made with. */
export const storeOptions = ({ name, pointsMax, windowMs }: LimitOptions) => {
  // Redis would keep keys for ever.
  if (windowMs < 1000 || windowMs % 1000 !== 0) throw new RangeError(`${name}: not whole seconds`)
  if (!(pointsMax >= 1)) throw new RangeError(`${name}: nothing would be allowed`)
  return { keyPrefix: name, points: pointsMax, duration: windowMs / 1000 }
}

/** The port on one of its stores. */
export function limiterOn(store: RateLimiterAbstract, { pointsMax }: LimitOptions): Limiter {
  const allowance = (counted: RateLimiterRes | null, toCome: number): Allowance => {
    const isRunning = counted !== null && counted.msBeforeNext > 0
    const points = isRunning ? counted.consumedPoints : 0
    return {
      isExceeded: points + toCome > pointsMax,
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
    async forget(key) {
      await store.delete(key)
    },
  }
}
