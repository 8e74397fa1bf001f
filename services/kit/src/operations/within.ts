import { inTime } from '../in-time.js'

/** What the work answers; undefined when it fails, or takes longer than `timeoutMs`. */
export function within<T>(timeoutMs: number, work: Promise<T>): Promise<T | undefined> {
  return inTime(timeoutMs, work).catch(() => undefined)
}

/** Runs `work` once at a time: who asks meanwhile gets the same answer, and so does who asks `freshMs` after it. */
export function recent<T>(freshMs: number, work: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined
  let freshUntil = 0
  return () => {
    if (answer && performance.now() < freshUntil) return answer
    freshUntil = Number.POSITIVE_INFINITY
    answer = work().finally(() => {
      freshUntil = performance.now() + freshMs
    })
    return answer
  }
}

export const shared = <T>(work: () => Promise<T>): (() => Promise<T>) => recent(0, work)
