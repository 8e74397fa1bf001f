import { Code, ConnectError } from '@connectrpc/connect'
import { detailOf, type Violation } from '@figbase/kit'
import { z } from 'zod'
import { BodyError } from './json/body-error.js'
import { statusOf, statusOfError } from './status.js'

/** Of what is wrong with a request so much is named. */
export const problemsMax = 20

/** A member of the body or a parameter, as it was written, and what is wrong with it; empty for the body as a whole. */
const problemSchema = z.object({ field: z.string(), problem: z.string() })

/** The body of every error. `code` stands on each 401: clients read it. `errors` on what is invalid. */
export const errorSchema = z.object({
  error: z.string(),
  detail: z.string().optional(),
  errors: z.array(problemSchema).min(1).max(problemsMax).optional(),
  code: z.string().optional(),
  managed_by_organization: z.literal(true).optional(),
})

/** An error that the gateway itself answers. */
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

/** What the caller gets; undefined for an error that is nobody's fault but ours. */
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
    if (!name) return transportAnswer(error.code)
    const status = statusOfError[name] ?? statusOf[error.code]
    if (status === 500) return undefined
    const headers = seconds > 0 ? retryAfter(seconds) : {}
    const violations = error.code === Code.InvalidArgument ? fields : []
    return answer(status, name, error.rawMessage, headers, violations)
  }
  return undefined
}

/** What comes of a call that did not reach its service, or of no answer; no one wrote a message. */
function transportAnswer(code: Code) {
  if (code === Code.Unavailable) {
    return answer(503, 'unavailable', 'a part of the server does not answer: try again soon')
  }
  if (code === Code.DeadlineExceeded) {
    return answer(504, 'deadline_exceeded', 'the server did not finish in time: try again')
  }
  return undefined
}

export const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) })

export const serverError: ErrorAnswer = {
  status: 500,
  body: { error: 'internal', detail: 'something went wrong on the server' },
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
  return { status, body, headers }
}
