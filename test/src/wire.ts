import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { deployment } from './deployment.js'
import { checkErrorBody } from './error-body.js'

/** A raw connection: the test controls every byte. */
export interface Wire extends AsyncDisposable {
  write(bytes: string | Uint8Array): Promise<void>
  /** Ends sending; responses can still be read. */
  halfClose(): void
  destroy(): void
  /** Waits for the first bytes of a response. */
  begun(): Promise<void>
  /** Reads the next response; undefined if the server closes without one. Throws after the deadline. */
  answer(deadlineMs?: number): Promise<WireAnswer | undefined>
}

export interface WireAnswer {
  status: number
  headers: Headers
  bytes: Buffer
}

export interface Head {
  method: string
  path: string
  authorization?: string | undefined
  headers?: Record<string, string>
}

/** The headers of a request. The default Content-Type is JSON. */
export function head({ method, path, authorization, headers = {} }: Head): string {
  const all: Record<string, string> = {
    host: deployment.origin.host,
    'content-type': 'application/json',
    ...(authorization === undefined ? {} : { authorization }),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/** One chunk of a body with `transfer-encoding: chunked`. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

export async function dial(): Promise<Wire> {
  const { protocol, hostname, port } = deployment.origin
  const socket: Socket =
    protocol === 'https:'
      ? connectTls({ host: hostname, port: Number(port || 443), servername: hostname })
      : connect({ host: hostname, port: Number(port || 80), allowHalfOpen: true })
  await once(socket, protocol === 'https:' ? 'secureConnect' : 'connect')

  let received = Buffer.alloc(0)
  let closed = false
  let wake = () => {}
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    wake()
  })
  const onEnd = () => {
    closed = true
    wake()
  }
  // A server may respond early and reset the connection: use what was received before.
  socket.on('error', onEnd).on('end', onEnd).on('close', onEnd)

  return {
    async write(bytes) {
      if (closed || socket.destroyed) return
      await new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
    },
    halfClose: () => void socket.end(),
    destroy: () => void socket.destroy(),
    async begun() {
      if (received.length === 0) await once(socket, 'data')
    },
    async answer(deadlineMs = 10_000) {
      const deadline = Date.now() + deadlineMs
      for (;;) {
        const parsed = parseAnswer(received, closed)
        if (parsed) {
          received = received.subarray(parsed.length)
          return parsed.answer
        }
        if (closed) return undefined
        const left = deadline - Date.now()
        if (left <= 0) throw new Error(`no response within ${deadlineMs} ms`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, left)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
    },
    async [Symbol.asyncDispose]() {
      socket.destroy()
    },
  }
}

/** Sends a raw request and reads the response. */
export async function exchange(request: Head, body = ''): Promise<WireAnswer | undefined> {
  const wire = await dial()
  try {
    const headers = { ...request.headers }
    if (body !== '') headers['content-length'] ??= String(Buffer.byteLength(body))
    await wire.write(head({ ...request, headers }))
    // Not awaited: after an early error, the server may never read the body.
    const sent = wire.write(body)
    const answer = await wire.answer()
    wire.destroy()
    await sent
    if (answer && answer.status >= 400) {
      const contentType = answer.headers.get('content-type') ?? ''
      checkErrorBody({ ...request, ...answer, contentType })
    }
    return answer
  } finally {
    wire.destroy()
  }
}

/** The first response of those received, and its length; undefined if it is incomplete. */
export function parseAnswer(
  received: Buffer,
  closed: boolean,
  method = 'GET',
): { answer: WireAnswer; length: number } | undefined {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = received.subarray(0, headEnd).toString('latin1').split('\r\n')
  const status = Number(statusLine.split(' ')[1])
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    }),
  )
  const rest = received.subarray(headEnd + 4)
  const start = headEnd + 4
  if (status === 100) {
    const next = parseAnswer(rest, closed, method)
    return next && { ...next, length: start + next.length }
  }
  if (method === 'HEAD')
    return { answer: { status, headers, bytes: Buffer.alloc(0) }, length: start }
  if (headers.get('transfer-encoding')?.includes('chunked')) {
    const body = dechunk(rest)
    return body && { answer: { status, headers, bytes: body.bytes }, length: start + body.length }
  }
  const declared = headers.get('content-length')
  const length = declared === null ? rest.length : Number(declared)
  if (rest.length < length || (declared === null && !closed && status !== 204 && status !== 304)) {
    return undefined
  }
  return { answer: { status, headers, bytes: rest.subarray(0, length) }, length: start + length }
}

function dechunk(bytes: Buffer): { bytes: Buffer; length: number } | undefined {
  const parts: Buffer[] = []
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    const end = lineEnd + 2 + size
    if (bytes.length < end + 2) return undefined
    if (size === 0) return { bytes: Buffer.concat(parts), length: end + 2 }
    parts.push(bytes.subarray(lineEnd + 2, end))
    at = end + 2
  }
}
