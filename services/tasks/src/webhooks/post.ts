import { once } from 'node:events'
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { withTimeout } from '@figbase/kit/timing'

export type PostOptions = {
  agentOf(url: string): Agent
  timeoutMs: number
  responseBytesMax: number
  signal: AbortSignal
}

export type Posted = {
  durationMs: number
  /** Null: no response. */
  status: number | null
  /** Its beginning. */
  responseBody: string
  /** Undefined: the receiver accepted it. */
  error: string | undefined
}

/** Sends a body to a receiver. A redirect is a failure. Throws only if `signal` is aborted. */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  { agentOf, timeoutMs, responseBytesMax, signal }: PostOptions,
): Promise<Posted> {
  signal.throwIfAborted()
  const began = performance.now()
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const sent = request(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent: agentOf(url),
  })
  // Also after the response has begun.
  sent.on('error', () => {})
  // Not with the option `signal`: on Node.js 20, a garbage collection may take what connects it with the request.
  const end = () => void sent.destroy()
  signal.addEventListener('abort', end, { once: true })
  let status: number | null = null
  let responseBody = ''
  let error: string | undefined
  try {
    await withTimeout(
      timeoutMs,
      (async () => {
        sent.end(body)
        const [response] = (await once(sent, 'response')) as [IncomingMessage]
        status = response.statusCode ?? null
        responseBody = await readStart(response, responseBytesMax)
      })(),
    )
    if (!isAccepted(status)) error = `HTTP status ${status}`
  } catch (failure) {
    end()
    signal.throwIfAborted()
    error = messageOf(failure)
  } finally {
    signal.removeEventListener('abort', end)
  }
  const durationMs = Math.round(performance.now() - began)
  return { durationMs, status, responseBody, error }
}

const isAccepted = (status: number | null) => status !== null && status >= 200 && status < 300

/** Reads up to so many bytes, and then closes the connection if there is more. */
async function readStart(response: IncomingMessage, bytesMax: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > bytesMax) break
  }
  const start = Buffer.concat(chunks).subarray(0, bytesMax)
  // PostgreSQL stores no NUL.
  return start.toString('utf8').replaceAll('\0', '')
}

const messageOf = (error: unknown) =>
  (error instanceof Error ? error.message || error.name : String(error)).slice(0, 500)
