import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { createLruCache, type LruCache } from '../lru.js'
import { limiterOn, storeOptions } from './limiter.js'
import { keysMax, type Limiter, type LimitOptions } from './port.js'

/** Counts in this process only. */
export function createMemoryLimiter(options: LimitOptions): Limiter {
  return limiterOn(new BoundedMemory(options), options)
}

/** The library's in-memory store with a bounded number of keys. */
export class BoundedMemory extends RateLimiterMemory {
  readonly #keys: LruCache<true>

  constructor(options: LimitOptions, max = keysMax) {
    super(storeOptions(options))
    this.#keys = createLruCache<true>(max, (_, key, reason) => {
      if (reason === 'evict') void super.delete(key)
    })
  }

  /** All counting goes through this method. */
  override penalty(key: string, points?: number): Promise<RateLimiterRes> {
    this.#keys.set(key, true)
    return super.penalty(key, points)
  }
}
