import { createLruCache, type LruCache } from '../lru.js'
import type { KeyRing } from './keys.js'

const entriesMax = 10_000

type Entry<V extends object> = { value: V; until: number }

/**
 * Caches what was signed or verified with a key ring. Bounded, and dropped with its ring. `make` returns the value
 * and its expiry in ms since 1970.
 */
export function memoized<V extends object>() {
  const byRing = new WeakMap<KeyRing, LruCache<Entry<V>>>()
  return (ring: KeyRing, name: string, make: () => Entry<V>): V => {
    let cache = byRing.get(ring)
    if (!cache) {
      cache = createLruCache(entriesMax)
      byRing.set(ring, cache)
    }
    const cached = cache.get(name)
    if (cached && Date.now() < cached.until) return cached.value
    const created = make()
    cache.set(name, created)
    return created.value
  }
}
