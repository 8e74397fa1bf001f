import { backoffMs, delay } from './delay.js'
import { errorOf, FigbaseError } from './figbase-error.js'
import { acceptsKey } from './idempotency.js'
import { linkedController } from './linked-controller.js'
import type { Session } from './session.js'
import { type QueryValue, urlOf } from './urls.js'

export type SendRequest = {
  method: string
  /** Below the version of the API, or beginning with `/api/`. */
  path: string
  query?: Record<string, QueryValue> | undefined
  headers?: Record<string, string> | undefined
  /** Can be sent again. */
  body?: string | Uint8Array<ArrayBuffer> | undefined
  /** Aborts the request, its retries and the body of the response. */
  signal?: AbortSignal | undefined
  /** Limit of each attempt, in milliseconds. */
  timeoutMs?: number | undefined
  retriesMax?: number | undefined
  /** Of a POST that creates; by default a new one, so that it can be repeated. */
  idempotencyKey?: string | undefined
}

export type SendSettings = {
  base: string
  session: Session
  fetch: typeof fetch
  headers: Record<string, string>
  timeoutMs: number
  retriesMax: number
}

/** Reads a response of success. What it rejects with decides whether the request is repeated. */
export type Consume<T> = (response: Response) => Promise<T>

/** A server that asks to wait longer is not waited for. */
const retryAfterMsMax = 60_000

/**
 * Sends a request with credentials. Repeats it with growing delays while the server is unavailable, if that cannot do
 * anything twice. Rejects with a FigbaseError for each response without success.
 */
export async function send<T>(
  settings: SendSettings,
  request: SendRequest,
  consume: Consume<T>,
): Promise<T> {
  const { signal, method, retriesMax = settings.retriesMax } = request
  const headers = headersOf(settings, request)
  const isRepeatable = mayRepeat(method, headers)
  let isRenewed = false
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    let authorization: string | undefined
    try {
      authorization = await settings.session.authorization()
      if (authorization !== undefined) headers.set('authorization', authorization)
      return await sendOnce(settings, request, headers, consume)
    } catch (error) {
      if (!(error instanceof FigbaseError)) throw error
      if (error.code === 'token_not_valid' && !isRenewed) {
        isRenewed = await settings.session.renew(authorization)
        if (isRenewed) continue
      }
      // An earlier attempt deleted it.
      if (method === 'DELETE' && error.status === 404 && attempt > 1) {
        return consume(new Response(null, { status: 204 }))
      }
      if (attempt > retriesMax || !isTemporary(error, isRepeatable)) throw error
      await delay(Math.max(error.retryAfterMs ?? 0, backoffMs(attempt)), signal)
    }
  }
}

function headersOf({ headers: common }: SendSettings, request: SendRequest): Headers {
  const { method, path, body, idempotencyKey } = request
  const headers = new Headers({ ...common, ...request.headers })
  if (typeof body === 'string' && !headers.has('content-type')) {
    headers.set('content-type', 'application/json')
  }
  const key = idempotencyKey ?? (acceptsKey(path) ? crypto.randomUUID() : undefined)
  if (method === 'POST' && key !== undefined) headers.set('idempotency-key', key)
  return headers
}

/** A write with `If-Match` would meet the version that its first attempt made. */
function mayRepeat(method: string, headers: Headers): boolean {
  if (method === 'POST') return headers.has('idempotency-key')
  return !headers.has('if-match')
}

/** A request that was refused because of too many requests was not processed. */
function isTemporary({ status, error, retryAfterMs = 0 }: FigbaseError, isRepeatable: boolean) {
  if (retryAfterMs > retryAfterMsMax) return false
  if (status === 429) return true
  const hasNoAnswer = status === 0 && error !== 'invalid_response'
  return isRepeatable && (hasNoAnswer || [502, 503, 504].includes(status))
}

/**
 * One attempt, without credentials of its own. Rejects with a FigbaseError, or with the reason of the signal. The signal
 * ends the attempt only: who consumes a stream later cancels it (`partsOf`).
 */
export async function sendOnce<T>(
  settings: Omit<SendSettings, 'session'>,
  { method, path, query, body, signal, timeoutMs = settings.timeoutMs }: SendRequest,
  headers: Headers,
  consume: Consume<T>,
): Promise<T> {
  const url = urlOf(settings.base, path, query)
  const { controller, release } = linkedController(signal)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    controller.abort()
  }, timeoutMs)
  try {
    const response = await settings.fetch(url, {
      method,
      headers,
      redirect: 'error',
      signal: controller.signal,
      ...(body !== undefined && { body }),
    })
    if (!response.ok && response.status !== 304) throw await errorOf(response)
    return await consume(response)
  } catch (cause) {
    signal?.throwIfAborted()
    if (cause instanceof FigbaseError) throw cause
    if (isLate) {
      const detail = `no response within ${timeoutMs / 1000} s`
      throw new FigbaseError({ status: 0, error: 'timed_out', detail }, { cause })
    }
    throw new FigbaseError({ status: 0, error: 'unreachable', detail: reasonOf(cause) }, { cause })
  } finally {
    clearTimeout(timer)
    release()
  }
}

/** The cause of a failed `fetch` is that of the connection. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  return cause instanceof Error ? cause.message || code || error.message : error.message
}
