const ends: (() => unknown)[] = []
let isEnding = false

/** Registers a cleanup for interrupts, called in reverse order; returns a function that unregisters it. */
export function endWithUs(end: () => unknown): () => void {
  if (ends.length === 0) process.on('SIGINT', endAll).on('SIGTERM', endAll)
  ends.push(end)
  return () => {
    ends.splice(ends.indexOf(end), 1)
    if (ends.length === 0) process.off('SIGINT', endAll).off('SIGTERM', endAll)
  }
}

async function endAll(signal: NodeJS.Signals): Promise<void> {
  if (isEnding) return
  isEnding = true
  for (const end of ends.toReversed()) await end()
  process.exit(signal === 'SIGINT' ? 130 : 143)
}
