import { ConnectError } from '@connectrpc/connect'
import { destination, type Logger, pino } from 'pino'
import { detailOf } from './errors.js'

export type { Logger }

/** One JSON line an entry, to standard error: standard output is for people. */
export function createLogger(name: string, level: string): Logger {
  return pino(
    {
      name,
      level,
      base: { name },
      redact: {
        paths: ['*.password', '*.token', '*.authorization'],
        censor: '***',
      },
      serializers: { err: toEntry },
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination({ fd: 2, sync: false }),
  )
}

/** A call's error without the descriptors of its detail, which are thousands of lines. */
function toEntry(error: unknown): unknown {
  if (!(error instanceof ConnectError)) return pino.stdSerializers.err(error as Error)
  const { message, stack, cause } = error
  const causeEntry = cause === undefined ? {} : { cause: toEntry(cause) }
  return { type: 'ConnectError', message, error: detailOf(error)?.error, ...causeEntry, stack }
}
