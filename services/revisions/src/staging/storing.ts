/** How many objects of one upload are stored at a time, beside the one that is coming in. */
const atATimeMax = 8

/** Objects that are whole in memory and on their way to the store. */
export type Storing = {
  /** Begins, as soon as there is room; throws when one before it failed. */
  add(store: () => Promise<void>): Promise<void>
  /** When all that was added is stored; throws what the first that failed threw. */
  all(): Promise<void>
  /** When nothing is on its way any more, whatever came of it. */
  ended(): Promise<void>
}

export function createStoring(): Storing {
  const under = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  const ended = async () => {
    await Promise.all(under)
  }
  return {
    async add(store) {
      if (under.size >= atATimeMax) await Promise.race(under)
      if (failure) throw failure.error
      const one: Promise<void> = store()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => under.delete(one))
      under.add(one)
    },
    async all() {
      await ended()
      if (failure) throw failure.error
    },
    ended,
  }
}
