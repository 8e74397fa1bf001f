import type { MessageInitShape } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import { ErrorDetailSchema } from '@figbase/proto/common'
import type { Allowance } from './ports/limits/port.js'

export type Violation = { field: string; reason: string }

/** An error with the one typed detail that all errors carry; `message` is for the caller. */
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

/** 400: `field` is the member as the caller wrote it, `reason` completes "field: …". */
export function invalid(field: string, reason: string) {
  return invalidAll([{ field, reason }])
}

/** 400 that names all that is wrong, the message the first; without a field it is the request as a whole. */
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

/** 429, with `Retry-After`: so much is allowed again when the window of `allowance` ends. */
export function tooMany(error: string, message: string, { limit, resetMs }: Allowance) {
  const retryAfterSeconds = Math.max(1, Math.ceil(resetMs / 1000))
  const text = `${message} (at most ${limit}): try again in ${retryAfterSeconds} s`
  return failureWith(Code.ResourceExhausted, text, { error, retryAfterSeconds })
}

/** The caller relied on a state that is not (any more) so. */
export function precondition(error: string, message: string) {
  return failure(Code.FailedPrecondition, error, message)
}

export function unavailable(message: string) {
  return failure(Code.Unavailable, 'unavailable', message)
}

/** The typed detail of an error, whoever made it. */
export function detailOf(error: ConnectError) {
  return error.findDetails(ErrorDetailSchema)[0]
}

export function hasCode(error: unknown, code: Code): error is ConnectError {
  return error instanceof ConnectError && error.code === code
}
