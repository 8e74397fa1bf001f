export type Gate = <T>(work: () => Promise<T>) => Promise<T>

/** Lets at most `places` pieces of work run at a time; the others wait in line. */
export function createGate(places: number): Gate {
  const line: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((enter) => line.push(enter))
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else free++
    }
  }
}
