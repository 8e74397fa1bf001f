/** Ends what runs in a session of its own when the tests are interrupted; returns how to forget it. */
export function endOnInterrupt(end) {
  const listener = (signal) => {
    end()
    process.exit(signal === 'SIGINT' ? 130 : 143)
  }
  process.once('SIGINT', listener).once('SIGTERM', listener)
  return () => process.off('SIGINT', listener).off('SIGTERM', listener)
}
