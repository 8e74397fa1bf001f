import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { ReadableStream } from 'node:stream/web'

/**
 * A `fetch` that sends text and follows no redirect, because that would take a key to another server. When `signal` is
 * aborted, the connection is closed. The one of Node.js 20 does not do so reliably: a garbage collection may take what
 * connects its signal with the request, and then it goes on.
 */
export const fetchUntil =
  (signal: AbortSignal): typeof fetch =>
  async (input, { method = 'GET', headers, body } = {}) => {
    signal.throwIfAborted()
    const url = new URL(input instanceof Request ? input.url : input)
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const sent = send(url, { method, headers: Object.fromEntries(new Headers(headers)) })
    // Without an error, and not with the option `signal`: that emits one on a connection that is idle again.
    const end = () => void sent.destroy()
    signal.addEventListener('abort', end, { once: true })
    sent.once('close', () => signal.removeEventListener('abort', end))
    // Also told to whoever waits for the response or reads it.
    sent.on('error', () => {})
    sent.end(typeof body === 'string' ? body : undefined)
    try {
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return toResponse(response)
    } catch (cause) {
      signal.throwIfAborted()
      // What libraries take for a failure of the connection.
      throw new TypeError('fetch failed', { cause })
    }
  }

function toResponse(response: IncomingMessage): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', headersDistinct } = response
  if (status >= 300 && status < 400) {
    response.destroy()
    throw new Error('the server redirects')
  }
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    for (const value of values) headers.append(name, value)
  }
  response.on('error', () => {})
  // Reads on when the SDK does.
  const body = ReadableStream.from<Uint8Array>(response)
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status,
    statusText,
    headers,
  })
}
