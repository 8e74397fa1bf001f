/** Runs `work`, never twice at a time; when asked for while it runs, once more afterwards. */
export function coalesced(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let isAskedAgain = false
  const loop = async () => {
    do {
      isAskedAgain = false
      await work()
    } while (isAskedAgain)
  }
  return () => {
    isAskedAgain = true
    running ??= loop().finally(() => {
      running = undefined
    })
    return running
  }
}
