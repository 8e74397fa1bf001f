import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../log.js'
import { enableLingeringClose } from './lingering-close.js'

export type BoundedServerSettings = {
  /** Timeout for the headers of a request; for the first one, it starts when the connection opens. */
  headersTimeoutMs: number
  /** Of all headers of a request. */
  headerBytesMax: number
  /** How long a connection may be idle while a request is handled. */
  idleTimeoutMs: number
  /** How long an idle connection is kept open for the next request. */
  keepAliveTimeoutMs: number
  /** Further connections are closed at once. */
  connectionsMax: number
  /** How long, and how much of, a rejected body is still read, so that the client receives the response. */
  refusedBodyTimeoutMs: number
  refusedBodyBytesMax: number
  /** Of responses to what is no valid request. */
  errorHeaders: Record<string, string>
}

/** How long to keep reading after an error response on the raw socket, so that the client receives the response. */
const lingeringCloseMs = 1000
const dropLogIntervalMs = 60_000

/** Creates a server with limits on the number of connections, their idle time, and their headers. */
export function createBoundedServer(
  cfg: BoundedServerSettings,
  log: Logger,
  listener: RequestListener,
): Server {
  const server = createServer(
    {
      // A limit on the whole request would abort slow uploads: see `body-reader.ts`.
      requestTimeout: 0,
      headersTimeout: cfg.headersTimeoutMs,
      connectionsCheckingInterval: Math.ceil(cfg.headersTimeoutMs / 4),
      maxHeaderSize: cfg.headerBytesMax,
    },
    listener,
  )
  server.timeout = cfg.idleTimeoutMs
  server.keepAliveTimeout = cfg.keepAliveTimeoutMs
  server.maxConnections = cfg.connectionsMax
  // Node silently drops headers above a count; the size limit is enough.
  server.maxHeadersCount = 0
  enableLingeringClose(server, {
    timeoutMs: cfg.refusedBodyTimeoutMs,
    bytesMax: cfg.refusedBodyBytesMax,
  })
  server.on('clientError', (error, socket) => rejectConnection(error, socket, cfg.errorHeaders))
  // By default, Node closes CONNECT without a response, and reads the whole body after it rejects Expect.
  server.on('connect', (_req, socket: Socket) => endWith(socket, connectError, cfg.errorHeaders))
  server.on('checkExpectation', (_req, res) => {
    const { status, ...body } = expectationError
    res.shouldKeepAlive = false
    const headers = jsonHeaders(body, cfg.errorHeaders)
    res.writeHead(Number.parseInt(status, 10), headers).end(JSON.stringify(body))
  })
  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - loggedAt < dropLogIntervalMs) return
    loggedAt = performance.now()
    log.warn({ connectionsMax: cfg.connectionsMax }, 'too many connections: closing new ones')
  })
  return server
}

type ErrorResponse = { status: string; error: string; detail: string }

const errorResponses: Record<string, ErrorResponse> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'headers_too_large',
    detail: 'the request headers are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    error: 'too_large',
    detail: 'the chunk extensions of the body are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'request_timeout',
    detail: 'the request headers timed out',
  },
}

const malformed: ErrorResponse = {
  status: '400 Bad Request',
  error: 'malformed_request',
  detail: 'the request is not valid HTTP',
}

const connectError: ErrorResponse = {
  status: '405 Method Not Allowed',
  error: 'method_not_allowed',
  detail: 'CONNECT is not supported',
}

const expectationError: ErrorResponse = {
  status: '417 Expectation Failed',
  error: 'expectation_failed',
  detail: 'Expect: must be 100-continue',
}

/** Responds to data that is not a valid request. Called again for each further invalid chunk. */
function rejectConnection(
  error: NodeJS.ErrnoException,
  stream: NodeJS.WritableStream,
  errorHeaders: Record<string, string>,
) {
  const socket = stream as Socket & { _httpMessage?: ServerResponse }
  if (socket.writableEnded) return
  const { code = '' } = error
  // Browsers open connections in advance; they could take this for the response to their first request.
  const isUnused = socket.bytesRead === 0
  const { headersSent = false, writableEnded = true } = socket._httpMessage ?? {}
  // A response that has ended only waits to be written, so another one may follow it.
  const isInResponse = headersSent && !writableEnded
  if (code === 'ECONNRESET' || !socket.writable || isUnused || isInResponse) {
    socket.destroy()
    return
  }
  endWith(socket, errorResponses[code] ?? malformed, errorHeaders)
}

function endWith(
  socket: Socket,
  { status, ...body }: ErrorResponse,
  errorHeaders: Record<string, string>,
) {
  const headers = Object.entries(jsonHeaders(body, errorHeaders))
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${JSON.stringify(body)}`)
  // Discard further data, and close even if the client does not read.
  const timer = setTimeout(() => socket.destroy(), lingeringCloseMs)
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(timer))
  socket.resume()
}

const jsonHeaders = (body: object, errorHeaders: Record<string, string>) => ({
  ...errorHeaders,
  connection: 'close',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(JSON.stringify(body))),
})
