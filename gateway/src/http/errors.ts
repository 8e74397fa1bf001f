import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf, type Violation } from '@figbase/kit/errors'
import { z } from 'zod'
import { BodyError } from './json/body-error.js'
import { statusOf, statusOfError } from './status.js'

/** The maximum number of problems that an error lists. */
export const problemsMax = 20

/** A problem with a member of the body or a parameter; `field` is empty for the body as a whole. */
const problemSchema = z.object({ field: z.string(), problem: z.string() }).meta({
  id: 'FieldProblem',
  description: 'A problem with a member of the body, or with a parameter.',
})

/** The body of every error. `code` is set on each 401, because clients read it; `errors` for invalid requests. */
export const errorSchema = z
  .object({
    error: z.string(),
    detail: z.string().optional(),
    errors: z.array(problemSchema).min(1).max(problemsMax).optional(),
    code: z.string().optional(),
    managed_by_organization: z.literal(true).optional(),
  })
  .meta({ id: 'Problem', description: 'The body of every error.' })

/** An error that the gateway itself detects. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly error: string,
    readonly detail: string,
    readonly headers: Record<string, string> = {},
  ) {
    super(detail)
    this.name = 'HttpError'
  }
}

export type ErrorAnswer = {
  status: number
  body: z.infer<typeof errorSchema>
  headers: Record<string, string>
}

/** The response to an error; undefined for internal errors. */
export function answerTo(error: unknown): ErrorAnswer | undefined {
  if (error instanceof HttpError) {
    return answer(error.status, error.error, error.detail, error.headers)
  }
  if (error instanceof BodyError) {
    if (error.code === 'too_large') return answer(413, 'too_large', error.message)
    if (error.code === 'malformed') return answer(400, 'malformed_json', error.message)
    return answer(400, 'invalid_request', error.message, {}, [error])
  }
  if (error instanceof ConnectError) {
    const { error: name, retryAfterSeconds: seconds = 0, fields } = detailOf(error) ?? {}
    if (!name) return transportErrorAnswer(error.code)
    const status = statusOfError[name] ?? statusOf[error.code]
    if (status === 500) return undefined
    const headers = seconds > 0 ? retryAfter(seconds) : {}
    const violations = error.code === Code.InvalidArgument ? fields : []
    return answer(status, name, error.rawMessage, headers, violations)
  }
  return undefined
}

/** The response to an RPC that failed in the transport, without an error from a service. */
function transportErrorAnswer(code: Code) {
  if (code === Code.Unavailable) {
    return answer(503, 'unavailable', 'a service is unavailable: try again later')
  }
  if (code === Code.DeadlineExceeded) {
    return answer(504, 'deadline_exceeded', 'the request timed out: try again')
  }
  return undefined
}

export const retryAfter = (seconds: number): Record<string, string> => ({
  'retry-after': String(seconds),
})

export const serverError: ErrorAnswer = {
  status: 500,
  body: { error: 'internal', detail: 'internal server error' },
  headers: {},
}

function answer(
  status: number,
  error: string,
  detail: string,
  headers: Record<string, string> = {},
  violations: Violation[] = [],
): ErrorAnswer {
  const errors = violations
    .slice(0, problemsMax)
    .map(({ field, reason }) => ({ field, problem: reason }))
  const body = {
    error,
    detail,
    ...(errors.length > 0 && { errors }),
    ...(status === 401 && { code: error }),
    ...(error === 'managed_by_organization' && { managed_by_organization: true as const }),
  }
  return { status, body, headers: withRetryAfter(status, headers) }
}

/** When to retry a 429 or 503, if nothing better is known. */
const retrySecondsDefault = 5

const withRetryAfter = (status: number, headers: Record<string, string>) =>
  (status === 429 || status === 503) && !headers['retry-after']
    ? { ...headers, ...retryAfter(retrySecondsDefault) }
    : headers
