import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '@figbase/kit'
import type { Config } from '../config.js'
import { corsHeaders, safeHeaders } from './headers.js'
import { lingerOnClose } from './lingering.js'

/** How long what still comes behind what is not HTTP is read, so that the answer is seen. */
const lingerMs = 1000
const dropsLoggedEveryMs = 60_000

/** A server whose connections are bounded in number, in silence and in what they send as headers. */
export function createBoundedServer(cfg: Config, log: Logger, listener: RequestListener): Server {
  const server = createServer(
    {
      // A limit on the whole request would end uploads that are slow but alive: see `pace.ts`.
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
  // Node drops in silence what exceeds a count; the bytes are bound enough.
  server.maxHeadersCount = 0
  lingerOnClose(server, { timeoutMs: cfg.refusedBodyTimeoutMs, bytesMax: cfg.refusedBodyBytesMax })
  server.on('clientError', refuseConnection)
  // Node by itself would close without an answer, and read a whole body after its own answer.
  server.on('connect', (_req, socket: Socket) => endWith(socket, connectRefusal))
  server.on('checkExpectation', (_req, res) => {
    const { status, ...body } = expectationRefusal
    res.shouldKeepAlive = false
    res.writeHead(Number.parseInt(status, 10), jsonHeaders(body)).end(JSON.stringify(body))
  })
  let loggedAt = Number.NEGATIVE_INFINITY
  server.on('drop', () => {
    if (performance.now() - loggedAt < dropsLoggedEveryMs) return
    loggedAt = performance.now()
    log.warn({ connectionsMax: cfg.connectionsMax }, 'too many connections: new ones are closed')
  })
  return server
}

type Refusal = { status: string; error: string; detail: string }

const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    error: 'headers_too_large',
    detail: 'the headers of the request are too large',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    error: 'too_large',
    detail: 'the chunk extensions of the body are too large',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    error: 'request_timeout',
    detail: 'the headers of the request did not come in time',
  },
}

const malformed: Refusal = {
  status: '400 Bad Request',
  error: 'malformed_request',
  detail: 'the request is not valid HTTP',
}

const connectRefusal: Refusal = {
  status: '405 Method Not Allowed',
  error: 'method_not_allowed',
  detail: 'CONNECT is not possible here',
}

const expectationRefusal: Refusal = {
  status: '417 Expectation Failed',
  error: 'expectation_failed',
  detail: 'Expect: only 100-continue is known',
}

/** Answers what never became a request; comes again for whatever is still sent afterwards. */
function refuseConnection(error: NodeJS.ErrnoException, stream: NodeJS.WritableStream) {
  const socket = stream as Socket & { _httpMessage?: ServerResponse }
  if (socket.writableEnded) return
  const { code = '' } = error
  // Browsers open connections ahead; an answer to nothing could be taken for that of a request.
  const isUnused = socket.bytesRead === 0
  if (code === 'ECONNRESET' || !socket.writable || isUnused || socket._httpMessage?.headersSent) {
    socket.destroy()
    return
  }
  endWith(socket, refusals[code] ?? malformed)
}

function endWith(socket: Socket, { status, ...body }: Refusal) {
  const lines = Object.entries(jsonHeaders(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${JSON.stringify(body)}`)
  // Whoever does not read may not keep it open; what still comes is dropped.
  const timer = setTimeout(() => socket.destroy(), lingerMs)
  socket.on('error', () => socket.destroy()).once('close', () => clearTimeout(timer))
  socket.resume()
}

const jsonHeaders = (body: object) => ({
  ...safeHeaders,
  ...corsHeaders,
  connection: 'close',
  'content-type': 'application/json; charset=utf-8',
  'content-length': String(Buffer.byteLength(JSON.stringify(body))),
})
