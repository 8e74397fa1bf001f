/**
 * A process of the distributed topology: starts, says so to a supervisor, and stops gracefully on
 * a signal. When the supervisor is gone it ends at once: the next one must not find it at work.
 */
export async function runProcess(
  start: () => Promise<AsyncDisposable & { port: number }>,
): Promise<void> {
  let running: (AsyncDisposable & { port: number }) | undefined
  let stopping = false
  const stop = async () => {
    if (stopping) return
    stopping = true
    try {
      await running?.[Symbol.asyncDispose]()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`stopping failed: ${String(error)}\n`)
      process.exit(1)
    }
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  process.on('disconnect', () => {
    if (!stopping) process.exit(1)
  })
  try {
    running = await start()
    process.send?.({ type: 'ready', port: running.port })
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${text}\n`)
    process.exit(1)
  }
}
