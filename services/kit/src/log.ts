import { ConnectError } from '@connectrpc/connect'
import { destination, type Logger, pino } from 'pino'
import { detailOf } from './errors.js'
import { currentScope } from './tracing/scope.js'

export type { Logger }

/**
 * One JSON line an entry, to standard error: standard output is for people. What is written while a
 * request, an event or a job is worked on tells which, and its trace.
 */
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
      mixin: origin,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination({ fd: 2, sync: false }),
  )
}

function origin(): object {
  const { requestId, span } = currentScope() ?? {}
  return {
    ...(requestId && { requestId }),
    ...(span && { trace_id: span.traceId, span_id: span.spanId }),
  }
}

// What PostgreSQL adds to an error shows values of rows and statements.
const withoutValues = { detail: undefined, where: undefined }

/** A call's error without the descriptors of its detail, which are thousands of lines. */
function toEntry(error: unknown): unknown {
  if (!(error instanceof ConnectError)) {
    return Object.assign(pino.stdSerializers.err(error as Error), withoutValues)
  }
  const { message, stack, cause } = error
  const causeEntry = cause === undefined ? {} : { cause: toEntry(cause) }
  return { type: 'ConnectError', message, error: detailOf(error)?.error, ...causeEntry, stack }
}
