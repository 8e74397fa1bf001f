import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { text } from 'node:stream/consumers'
import { ApiError, toApiError, Unreachable } from './api-error.js'
import type { Target } from './credentials.js'

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Without the server: `api/v1/…`. */
  path: string
  query?: Record<string, string>
  body?: object
  /** Default: JSON. */
  contentType?: string
}

/** `at`: the clock of the API server, without its milliseconds. */
export type ApiResponse = { body: unknown; at: Date }

const timeoutMs = 15_000

/**
 * One request. Throws ApiError, Unreachable, or the reason of the signal. The client of the library is not used:
 * it drops the fields that it does not know, which an object that is written back must keep.
 */
export async function send(
  target: Target,
  request: ApiRequest,
  signal: AbortSignal,
): Promise<ApiResponse> {
  const limited = createLimit(signal, timeoutMs)
  try {
    const response = await respond(target, request, limited)
    const body = await text(response)
    const status = response.statusCode ?? 0
    if (status < 200 || status >= 300) throw toApiError(status, body)
    const atMs = Date.parse(response.headers.date ?? '') || Date.now()
    return { body: body ? parse(body) : {}, at: new Date(atMs) }
  } catch (error) {
    throw limited.toError(error)
  } finally {
    limited.end()
  }
}

/** The lines of a response that does not end. Its connection does not keep the process running. */
export async function* sendForLines(
  target: Target,
  request: ApiRequest,
  signal: AbortSignal,
  timeoutMs: number,
): AsyncGenerator<string> {
  const limited = createLimit(signal, timeoutMs)
  try {
    const response = await respond(target, request, limited)
    response.socket.unref()
    const status = response.statusCode ?? 0
    if (status !== 200) throw toApiError(status, await text(response))
    let rest = ''
    response.setEncoding('utf8')
    for await (const chunk of response) {
      const lines = `${rest}${chunk}`.split('\n')
      rest = lines.pop() ?? ''
      yield* lines.filter((line) => line !== '')
    }
  } catch (error) {
    throw limited.toError(error)
  } finally {
    limited.end()
  }
}

type Limit = {
  /** Called when the time is over, or the caller gives up. */
  onEnd(end: () => void): void
  isOver(): boolean
  toError(error: unknown): unknown
  end(): void
}

/** With a timer of its own: Node 20 may collect a combination of signals before it fires. */
function createLimit(signal: AbortSignal, timeoutMs: number): Limit {
  signal.throwIfAborted()
  let isLate = false
  let destroy = () => {}
  const abort = () => destroy()
  const timer = setTimeout(() => {
    isLate = true
    destroy()
  }, timeoutMs).unref()
  signal.addEventListener('abort', abort, { once: true })
  return {
    onEnd(end) {
      destroy = end
    },
    isOver: () => isLate || signal.aborted,
    toError(error) {
      if (signal.aborted) return signal.reason
      if (error instanceof ApiError || error instanceof Unreachable) return error
      const what = isLate ? 'did not respond in time' : 'ended the connection'
      return new Unreachable(`the API server ${what}`, { cause: error })
    },
    end() {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
      destroy()
    },
  }
}

async function respond(target: Target, request: ApiRequest, limit: Limit) {
  const { method, path, query = {}, body, contentType = 'application/json' } = request
  const url = new URL(`${target.server.replace(/\/$/, '')}/${path}`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const payload = body && JSON.stringify(body)
  const open = url.protocol === 'https:' ? httpsRequest : httpRequest
  for (let attempt = 1; ; attempt++) {
    const sent = open(url, {
      method,
      agent: target.agent,
      headers: {
        accept: 'application/json',
        'user-agent': 'figbase',
        ...(payload && {
          'content-type': contentType,
          'content-length': Buffer.byteLength(payload),
        }),
        ...target.headers,
      },
    })
    limit.onEnd(() => void sent.destroy())
    // Also told to whoever waits for the response.
    sent.on('error', () => {})
    sent.end(payload)
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      response.on('error', () => {})
      return response
    } catch (cause) {
      // The server closed an idle connection meanwhile. Each of our requests may be repeated.
      if (sent.reusedSocket && attempt === 1 && !limit.isOver()) continue
      if (limit.isOver()) throw cause
      throw new Unreachable('the API server cannot be reached', { cause })
    }
  }
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (cause) {
    throw new Unreachable('the API server sent something else than JSON', { cause })
  }
}
