import { tooBusy } from '../errors.js'

export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `concurrency` at a time, first in first out; throws `too_busy` when `waitingMax` already wait. */
export function createConcurrencyLimit(concurrency: number, waitingMax: number): ConcurrencyLimit {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < concurrency) running++
    else if (waiting.length >= waitingMax) throw tooBusy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The slot passes to the next in the queue, so that new calls cannot overtake it.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
