/** What serves in a process: the port that it serves on, and its operations port if it has one. */
export type RunningProcess = AsyncDisposable & { port: number; operationsPort?: number | undefined }

/**
 * A process of the distributed topology: starts, says so to a supervisor, and stops gracefully on
 * a signal. When the supervisor is gone it ends at once: the next one must not find it at work.
 */
export async function runProcess(start: () => Promise<RunningProcess>): Promise<void> {
  let running: RunningProcess | undefined
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
    const { port, operationsPort } = running
    process.send?.({ type: 'ready', port, operationsPort })
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${text}\n`)
    process.exit(1)
  }
}
