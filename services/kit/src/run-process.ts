import { ConfigError, readSettings } from './config.js'
import { createLogger } from './log.js'
import { readShutdownTimeout, readStopSettings } from './operations/settings.js'
import { readLogLevel } from './settings.js'

/** What serves in a process: the port that it serves on, and its operations port if it has one. */
export type RunningProcess = AsyncDisposable & { port: number; operationsPort?: number | undefined }

/** For what waits at a stop, though servers end what is in flight by themselves. */
const graceMs = 2000

/**
 * A process of the distributed topology: starts, says so to a supervisor, and stops gracefully on
 * a signal, or ends when that takes too long. When the supervisor is gone it ends at once: the next one must not find it at work.
 */
export async function runProcess(start: () => Promise<RunningProcess>): Promise<void> {
  let running: RunningProcess | undefined
  let stopping = false
  let stopMs = 0
  const tooLong = () => {
    process.stderr.write('not all was finished within SHUTDOWN_TIMEOUT\n')
    process.exit(1)
  }
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(tooLong, stopMs + graceMs)
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
    const { logLevel, shutdownDelayMs, shutdownTimeoutMs } = readSettings(process.env, (env) => ({
      logLevel: readLogLevel(env),
      ...readStopSettings(env),
      shutdownTimeoutMs: readShutdownTimeout(env),
    }))
    stopMs = shutdownDelayMs + shutdownTimeoutMs
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
