/** Ends what would outlive an interrupted run; returns how to forget it. */
export function endWithUs(end: () => unknown): () => void {
  const listener = (signal: NodeJS.Signals) => {
    end()
    // The other listeners run first.
    setImmediate(() => process.exit(signal === 'SIGINT' ? 130 : 143))
  }
  process.once('SIGINT', listener).once('SIGTERM', listener)
  return () => {
    process.off('SIGINT', listener).off('SIGTERM', listener)
  }
}
