import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { ErrorDetailSchema } from '@figbase/proto/common'
import type { Allowance } from '../limits/port.js'

export type Violation = { field: string; reason: string }

/** An error with the typed detail that all errors carry; `message` is for the caller. */
export function failure(code: Code, error: string, message: string, fields: Violation[] = []) {
  return failureWith(code, message, { error, fields })
}

export function failureWith(
  code: Code,
  message: string,
  detail: MessageInitShape<typeof ErrorDetailSchema>,
) {
  return new ConnectError(message, code, undefined, [{ desc: ErrorDetailSchema, value: detail }])
}

/** 400. `field` is the member as the caller wrote it, `reason` completes "field: …". */
export function invalid(field: string, reason: string) {
  return invalidAll([{ field, reason }])
}

/** 400 with all violations; the message is that of the first. An empty field stands for the request as a whole. */
export function invalidAll(violations: [Violation, ...Violation[]]) {
  const [{ field, reason }] = violations
  const message = field === '' ? reason : `${field}: ${reason}`
  return failure(Code.InvalidArgument, 'invalid_request', message, violations)
}

export function notFound(what: string) {
  return failure(Code.NotFound, 'not_found', `${what} does not exist`)
}

export function conflict(error: string, message: string) {
  return failure(Code.AlreadyExists, error, message)
}

export function denied(permission: string) {
  return failure(
    Code.PermissionDenied,
    'permission_denied',
    `you do not have the permission ${permission} here`,
  )
}

/** 401. `error` becomes the member `code` that clients read. */
export function unauthenticated(error: string, message: string) {
  return failure(Code.Unauthenticated, error, message)
}

export function exhausted(error: string, message: string) {
  return failure(Code.ResourceExhausted, error, message)
}

/** 429 with `Retry-After`: the time until the window of `allowance` ends. */
export function tooMany(error: string, message: string, { limit, resetMs }: Allowance) {
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000))
  const text = `${message} (at most ${limit}): try again in ${retryAfterSeconds} s`
  return failureWith(Code.ResourceExhausted, text, { error, retryAfterSeconds })
}

/** The resource is not in the state that the call requires. */
export function precondition(error: string, message: string) {
  return failure(Code.FailedPrecondition, error, message)
}

export function unavailable(message: string) {
  return failure(Code.Unavailable, 'unavailable', message)
}

/** The typed detail of an error, also of one received from a peer. */
export function detailOf(error: ConnectError) {
  return error.findDetails(ErrorDetailSchema)[0]
}

export function hasCode(error: unknown, code: Code): error is ConnectError {
  return error instanceof ConnectError && error.code === code
}
