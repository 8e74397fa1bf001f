import { withTimeout } from './with-timeout.js'

/** Returns the result of `work`, or undefined if it fails or takes longer than `timeoutMs`. */
export function tryWithin<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  return withTimeout(timeoutMs, work).catch(() => undefined)
}

/** Runs `work` once at a time and caches its result for `freshMs`; concurrent callers share one run. */
export function memoizeFor<T>(freshMs: number, work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  let freshUntil = 0
  return () => {
    if (result && performance.now() < freshUntil) return result
    freshUntil = Number.POSITIVE_INFINITY
    result = work().finally(() => {
      freshUntil = performance.now() + freshMs
    })
    return result
  }
}

/** Runs `work` once at a time; concurrent callers share one run. */
export const singleFlight = <T>(work: () => Promise<T>): (() => Promise<T>) => memoizeFor(0, work)
