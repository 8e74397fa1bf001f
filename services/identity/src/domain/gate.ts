import { tooBusy } from '../errors.js'

export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** Runs so many at a time, in the order they came; refuses when too many wait already. */
export function createGate(atATime: number, waitingMax: number): Gate {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atATime) running++
    else if (waiting.length >= waitingMax) throw tooBusy()
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      // The place is handed on, so that a newcomer cannot take it from who waits.
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
