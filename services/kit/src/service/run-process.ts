import { ConfigError, readSettings } from '../config/config.js'
import { formerNamesIn } from '../config/former-names.js'
import { createLogger, type Logger } from '../log.js'
import { readShutdownTimeout, readStopSettings } from '../operations/settings.js'
import { readLogLevel } from '../settings/runtime.js'

/** A serving process: its port, and the port of its operations endpoint if enabled. */
export type RunningProcess = AsyncDisposable & { port: number; operationsPort?: number | undefined }

/** Added to the shutdown timeout, within which servers end calls in flight by themselves. */
const graceMs = 2000

/**
 * Runs a process of the distributed topology: starts, reports readiness to a supervisor, and shuts down on a signal,
 * with a timeout. If the supervisor dies it exits at once, so that it does not run beside the processes of the next.
 */
export async function runProcess(start: () => Promise<RunningProcess>): Promise<void> {
  let running: RunningProcess | undefined
  let stopping = false
  let stopMs = 0
  const onTimeout = () => {
    process.stderr.write('shutdown timed out (SHUTDOWN_TIMEOUT)\n')
    process.exit(1)
  }
  const stop = async () => {
    if (stopping) return
    stopping = true
    setTimeout(onTimeout, stopMs + graceMs)
    try {
      await running?.[Symbol.asyncDispose]()
      process.exit(0)
    } catch (error) {
      process.stderr.write(`shutdown failed: ${String(error)}\n`)
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
    const log = createLogger('process', logLevel)
    // A supervisor has warned already.
    if (!process.send) warnOfFormerNames(log)
    running = await start()
    const { port, operationsPort } = running
    if (process.send) process.send({ type: 'ready', port, operationsPort })
    else log.info({ port, operationsPort }, 'ready')
  } catch (error) {
    process.stderr.write(`${textOf(error)}\n`)
    process.exit(1)
  }
}

function warnOfFormerNames(log: Logger): void {
  for (const names of formerNamesIn(process.env)) {
    log.warn(names, 'setting has a new name; its former name still works')
  }
}

/** No stack for a wrong setting. */
function textOf(error: unknown): string {
  if (error instanceof ConfigError) return error.message
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
