import { APICallError, RetryError } from 'ai'
import { aiFailed, aiOverloaded } from './errors.js'

const overloaded = new Set([429, 503, 529])
const overloadedTypes = new Set(['overloaded_error', 'rate_limit_error', 'rate_limit_exceeded'])
const standardRetrySeconds = 10
const retrySecondsMax = 3600

/** The error for callers, and what the log may say: texts of providers may repeat the request or its key. */
export type ProviderFailure = { error: Error; status: number | undefined; reason: string }

/** Classifies an error of the SDK or of the connection. */
export function failureOf(thrown: unknown): ProviderFailure {
  const cause = RetryError.isInstance(thrown) ? thrown.lastError : thrown
  const call = APICallError.isInstance(cause) ? cause : undefined
  const status = call?.statusCode
  const types = call ? typesIn(parsed(call.responseBody)) : typesIn(cause)
  const isOverloaded =
    status === undefined || status === 200
      ? types.some((type) => overloadedTypes.has(type))
      : overloaded.has(status)
  const error = isOverloaded ? aiOverloaded(retryAfterOf(call)) : aiFailed()
  return { error, status, reason: [nameOf(cause), ...codesOf(cause), ...types].join(' ') }
}

const nameOf = (cause: unknown) => (cause instanceof Error ? cause.name : 'error event')

/** Such as ECONNREFUSED; the error of a connection is the cause of that of the SDK. */
function codesOf(cause: unknown): string[] {
  const codes: string[] = []
  for (let at = cause; at instanceof Error; at = at.cause) {
    if ('code' in at) codes.push(...identifiers(at.code))
  }
  return codes
}

/** The type and the code of an error in the format of a provider. */
function typesIn(value: unknown): string[] {
  const { type, code, error } = (value ?? {}) as Record<string, unknown>
  const nested = (error ?? {}) as Record<string, unknown>
  return [...new Set([type, code, nested.type, nested.code].flatMap(identifiers))]
}

const identifiers = (value: unknown) =>
  typeof value === 'string' && /^\w{1,64}$/.test(value) ? [value] : []

function parsed(body: string | undefined): unknown {
  try {
    return JSON.parse(body ?? '')
  } catch {
    return undefined
  }
}

function retryAfterOf(call: APICallError | undefined): number {
  const seconds = Math.ceil(Number(call?.responseHeaders?.['retry-after']))
  return seconds > 0 ? Math.min(seconds, retrySecondsMax) : standardRetrySeconds
}
