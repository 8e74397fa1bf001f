import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { limiterOn, storeOptions } from './limiter.js'
import { keysMax, type Limiter, type LimitOptions } from './port.js'

/** Counts in this process only. */
export function createMemoryLimiter(options: LimitOptions): Limiter {
  return limiterOn(new BoundedMemory(options), options)
}

/** The library's in-memory store with a bounded number of keys. */
export class BoundedMemory extends RateLimiterMemory {
  readonly #keys: LRUCache<string, true>

  constructor(options: LimitOptions, max = keysMax) {
    super(storeOptions(options))
    const forget = (_: true, key: string, reason: string) => {
      if (reason === 'evict') void super.delete(key)
    }
    this.#keys = new LRUCache({ max, dispose: forget })
  }

  /** All counting goes through this method. */
  override penalty(key: string, points?: number): Promise<RateLimiterRes> {
    this.#keys.set(key, true)
    return super.penalty(key, points)
  }
}
