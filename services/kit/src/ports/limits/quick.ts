import { LRUCache } from 'lru-cache'
import { type Allowance, keysMax, type Limiter, type LimitOptions } from './port.js'

/** As `Limiter`, for what happens at each request: answers at once, from what this process knows. */
export type QuickLimiter = {
  count(key: string, points?: number): Allowance
  peek(key: string): Allowance
}

type Counter = { points: number; untold: number; endsAt: number }

const tellEveryMs = 1000

/**
 * Counts here, and adds to what others count in `shared` within a second, in the background. Until
 * then each process lets through what it has not heard of.
 */
export function createQuickLimiter(
  { pointsMax, windowMs }: LimitOptions,
  shared?: Limiter,
): QuickLimiter & Disposable {
  const untold = new Map<string, Counter>()
  const counters = new LRUCache<string, Counter>({
    max: keysMax,
    dispose: (_, key) => untold.delete(key),
  })
  let timer: NodeJS.Timeout | undefined

  const current = (key: string) => {
    const counter = counters.get(key)
    return counter && counter.endsAt > Date.now() ? counter : undefined
  }

  const begin = (key: string) => {
    const counter = { points: 0, untold: 0, endsAt: Date.now() + windowMs }
    counters.set(key, counter)
    return counter
  }

  const allowance = (counter: Counter | undefined, toCome: number): Allowance => {
    const points = counter?.points ?? 0
    return {
      isExceeded: points + toCome > pointsMax,
      limit: pointsMax,
      remaining: Math.max(0, pointsMax - points),
      resetMs: counter ? Math.max(0, counter.endsAt - Date.now()) : 0,
    }
  }

  const tellAll = () => {
    timer = undefined
    const all = [...untold]
    untold.clear()
    for (const [key, counter] of all) void tell(key, counter)
  }

  const tell = async (key: string, counter: Counter) => {
    const points = counter.untold
    counter.untold = 0
    const told = await shared?.count(key, points)
    if (!told) return
    // What is beyond the limit is not told: one more than it is as good.
    const known = told.limit - told.remaining + (told.isExceeded ? 1 : 0)
    // Never less than was counted here: a store that was away begins anew.
    counter.points = Math.max(counter.points, known + counter.untold)
    counter.endsAt = Math.min(counter.endsAt, Date.now() + told.resetMs)
  }

  return {
    count(key, points = 1) {
      if (key === '') return allowance(undefined, 0)
      const counter = current(key) ?? begin(key)
      counter.points += points
      if (shared) {
        counter.untold += points
        untold.set(key, counter)
        timer ??= setTimeout(tellAll, tellEveryMs).unref()
      }
      return allowance(counter, 0)
    },
    peek: (key) => allowance(current(key), 1),
    [Symbol.dispose]: () => clearTimeout(timer),
  }
}
