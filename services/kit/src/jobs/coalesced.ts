/** Runs `work` once at a time; calls during a run cause one further run. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isRequested = false
  const loop = async () => {
    try {
      do {
        isRequested = false
        await work()
      } while (isRequested)
    } finally {
      // Synchronously: a call before a `finally` of the promise would be lost.
      running = undefined
    }
  }
  return () => {
    isRequested = true
    running ??= loop()
    return running
  }
}
