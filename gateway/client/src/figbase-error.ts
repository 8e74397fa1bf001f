/** A member of the request that is invalid. */
export type FieldProblem = { field: string; problem: string }

export type FigbaseErrorMembers = {
  /** The HTTP status; 0 if there was no response. */
  status: number
  /**
   * The name of the error, for programs: that of the response, or `unreachable`, `timed_out`, `connection_lost`,
   * `hash_mismatch`, `invalid_response`.
   */
  error: string
  /** A text for people. */
  detail?: string | undefined
  /** `token_not_valid` and others, of a 401. */
  code?: string | undefined
  /** The invalid members of a 400. */
  errors?: FieldProblem[] | undefined
  /** By which an operator finds the request in the log. */
  requestId?: string | undefined
  /** When to try again, of a 429 or 503. */
  retryAfterMs?: number | undefined
}

/** Each failure of a request. A request that its caller aborts rejects with the reason of the signal instead. */
export class FigbaseError extends Error {
  override readonly name = 'FigbaseError'
  readonly status: number
  readonly error: string
  readonly detail: string | undefined
  readonly code: string | undefined
  readonly errors: FieldProblem[]
  readonly requestId: string | undefined
  readonly retryAfterMs: number | undefined

  constructor(members: FigbaseErrorMembers, options?: ErrorOptions) {
    super(messageOf(members), options)
    this.status = members.status
    this.error = members.error
    this.detail = members.detail
    this.code = members.code
    this.errors = members.errors ?? []
    this.requestId = members.requestId
    this.retryAfterMs = members.retryAfterMs
  }
}

function messageOf({ status, error, detail, errors = [] }: FigbaseErrorMembers): string {
  const fields = errors.map(({ field, problem }) => `${field} ${problem}`).join('; ')
  return [status > 0 ? `${status} ${error}` : error, detail, fields || undefined]
    .filter((part) => part !== undefined)
    .join(': ')
}

/** The error that a response tells. Reads its body. */
export async function errorOf(response: Response): Promise<FigbaseError> {
  const { status, headers } = response
  const text = await response.text().catch(() => '')
  const told = membersOf(text)
  return new FigbaseError({
    status,
    // A proxy in between may answer without JSON.
    error: typeof told.error === 'string' ? told.error : 'invalid_response',
    detail: typeof told.detail === 'string' ? told.detail : undefined,
    code: typeof told.code === 'string' ? told.code : undefined,
    errors: Array.isArray(told.errors) ? told.errors : [],
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: retryAfterMsOf(headers),
  })
}

function membersOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** `Retry-After` in seconds; a date is not sent by Figbase. */
function retryAfterMsOf(headers: Headers): number | undefined {
  const seconds = Number.parseFloat(headers.get('retry-after') ?? '')
  return Number.isFinite(seconds) ? seconds * 1000 : undefined
}
