import { ConnectError } from '@connectrpc/connect'
import { destination, type Logger, pino } from 'pino'
import { detailOf } from './errors/errors.js'
import { currentScope } from './scope/scope.js'

export type { Logger }

/**
 * Logs one JSON line per entry to standard error; standard output is for people. Entries carry the request id and
 * the trace of the request, event or job in whose scope they are logged.
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
      mixin: scopeFields,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: pino.stdTimeFunctions.isoTime,
    },
    destination({ fd: 2, sync: false }),
  )
}

function scopeFields(): object {
  const { requestId, span } = currentScope() ?? {}
  return {
    ...(requestId && { requestId }),
    ...(span && { trace_id: span.traceId, span_id: span.spanId }),
  }
}

// These fields of a PostgreSQL error contain values of rows and statements.
const withoutValues = { detail: undefined, where: undefined }

/** Serializes an RPC error without the descriptors of its detail, which are thousands of lines. */
function toEntry(error: unknown): unknown {
  if (!(error instanceof ConnectError)) {
    return Object.assign(pino.stdSerializers.err(error as Error), withoutValues)
  }
  const { message, stack, cause } = error
  const causeEntry = cause === undefined ? {} : { cause: toEntry(cause) }
  return { type: 'ConnectError', message, error: detailOf(error)?.error, ...causeEntry, stack }
}
