import { LRUCache } from 'lru-cache'
import type { KeyRing } from './keys.js'

const entriesMax = 10_000

type Kept<V extends object> = { value: V; until: number }

/**
 * What was signed or verified with a ring of keys, so that it is not done anew for each of many calls. Bounded;
 * forgotten with its ring. `make` answers until when, in ms since 1970, its value is good.
 */
export function remembered<V extends object>() {
  const byRing = new WeakMap<KeyRing, LRUCache<string, Kept<V>>>()
  return (ring: KeyRing, name: string, make: () => Kept<V>): V => {
    let cache = byRing.get(ring)
    if (!cache) {
      cache = new LRUCache({ max: entriesMax })
      byRing.set(ring, cache)
    }
    const known = cache.get(name)
    if (known && Date.now() < known.until) return known.value
    const made = make()
    cache.set(name, made)
    return made.value
  }
}
