import { ConfigError, readSettings } from './config.js'
import { createLogger } from './log.js'
import { readLogLevel } from './settings.js'

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
    const { logLevel } = readSettings(process.env, (env) => ({ logLevel: readLogLevel(env) }))
    running = await start()
    const { port, operationsPort } = running
    if (process.send) process.send({ type: 'ready', port, operationsPort })
    else createLogger('process', logLevel).info({ port, operationsPort }, 'ready')
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`)
    process.exit(1)
  }
}

/** Where a wrong setting was read says nothing. */
function textOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
