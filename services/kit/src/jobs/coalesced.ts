/** Runs `work`, never twice at a time; when asked for while it runs, once more afterwards. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const loop = async () => {
    try {
      do {
        isAskedAgain = false
        await work()
      } while (isAskedAgain)
    } finally {
      // At once: who asked between the end and a `finally` of the promise would be forgotten.
      running = undefined
    }
  }
  return () => {
    isAskedAgain = true
    running ??= loop()
    return running
  }
}
