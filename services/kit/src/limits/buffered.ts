import { createLruCache } from '../lru.js'
import { type Allowance, keysMax, type Limiter, type LimitOptions } from './port.js'

/** A synchronous limiter for every request: decides at once by the counts that this process knows. */
export type BufferedLimiter = {
  count(key: string, points?: number): Allowance
  peek(key: string): Allowance
}

type Counter = { points: number; unsynced: number; endsAt: number }

const syncEveryMs = 1000

/**
 * Counts in memory and synchronizes with `shared` every second in the background. Until then, each process
 * allows what it has not learnt of the others' counts.
 */
export function createBufferedLimiter(
  { pointsMax, windowMs }: LimitOptions,
  shared?: Limiter,
): BufferedLimiter & Disposable {
  const unsynced = new Map<string, Counter>()
  const counters = createLruCache<Counter>(keysMax, (_, key) => unsynced.delete(key))
  let timer: NodeJS.Timeout | undefined

  const current = (key: string) => {
    const counter = counters.get(key)
    return counter && counter.endsAt > Date.now() ? counter : undefined
  }

  const begin = (key: string) => {
    const counter = { points: 0, unsynced: 0, endsAt: Date.now() + windowMs }
    counters.set(key, counter)
    return counter
  }

  const allowance = (counter: Counter | undefined, upcoming: number): Allowance => {
    const points = counter?.points ?? 0
    return {
      isExceeded: points + upcoming > pointsMax,
      limit: pointsMax,
      remaining: Math.max(0, pointsMax - points),
      resetMs: counter ? Math.max(0, counter.endsAt - Date.now()) : 0,
    }
  }

  const syncAll = () => {
    timer = undefined
    const all = [...unsynced]
    unsynced.clear()
    for (const [key, counter] of all) void sync(key, counter)
  }

  const sync = async (key: string, counter: Counter) => {
    const points = counter.unsynced
    counter.unsynced = 0
    const total = await shared?.count(key, points)
    if (!total) return
    // `remaining` does not go below 0: use one more than the limit if it is exceeded.
    const sharedPoints = total.limit - total.remaining + (total.isExceeded ? 1 : 0)
    // Never less than was counted here: the store may have lost its counts.
    counter.points = Math.max(counter.points, sharedPoints + counter.unsynced)
    counter.endsAt = Math.min(counter.endsAt, Date.now() + total.resetMs)
  }

  return {
    count(key, points = 1) {
      if (key === '') return allowance(undefined, 0)
      const counter = current(key) ?? begin(key)
      counter.points += points
      if (shared) {
        counter.unsynced += points
        unsynced.set(key, counter)
        timer ??= setTimeout(syncAll, syncEveryMs).unref()
      }
      return allowance(counter, 0)
    },
    peek: (key) => allowance(current(key), 1),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
