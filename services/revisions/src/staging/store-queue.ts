/** Objects of one upload that are stored concurrently, besides the one that is being received. */
const concurrencyMax = 8

/** Objects that are complete in memory and have to be stored. */
export type StoreQueue = {
  /** Starts as soon as there is room. Throws if an earlier object failed. */
  add(store: () => Promise<void>): Promise<void>
  /** Resolves when all objects are stored. Throws the first failure. */
  drained(): Promise<void>
  /** Resolves when nothing is running any more, also after failures. */
  settled(): Promise<void>
}

export function createStoreQueue(): StoreQueue {
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  const settled = async () => {
    await Promise.all(running)
  }
  return {
    async add(store) {
      if (running.size >= concurrencyMax) await Promise.race(running)
      if (failure) throw failure.error
      const one: Promise<void> = store()
        .catch((error: unknown) => {
          failure ??= { error }
        })
        .finally(() => running.delete(one))
      running.add(one)
    },
    async drained() {
      await settled()
      if (failure) throw failure.error
    },
    settled,
  }
}
