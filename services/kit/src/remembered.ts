import type { KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'

const entriesMax = 10_000

type Kept<V extends object> = { value: V; until: number }

/**
 * What was signed or verified with a key, so that it is not done anew for each of many calls. Bounded;
 * forgotten with its key. `make` answers until when, in ms since 1970, its value is good.
 */
export function remembered<V extends object>() {
  const byKey = new WeakMap<KeyObject, LRUCache<string, Kept<V>>>()
  return (key: KeyObject, name: string, make: () => Kept<V>): V => {
    let cache = byKey.get(key)
    if (!cache) {
      cache = new LRUCache({ max: entriesMax })
      byKey.set(key, cache)
    }
    const known = cache.get(name)
    if (known && Date.now() < known.until) return known.value
    const made = make()
    cache.set(name, made)
    return made.value
  }
}
