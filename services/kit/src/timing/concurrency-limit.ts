export type ConcurrencyLimit = <T>(work: () => Promise<T>) => Promise<T>

/** Runs at most `slots` tasks concurrently; others wait in order. */
export function createConcurrencyLimit(slots: number): ConcurrencyLimit {
  const queue: (() => void)[] = []
  let free = slots
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((start) => queue.push(start))
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else free++
    }
  }
}
