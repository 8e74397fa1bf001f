import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './body.js'

/** Both are looked at every hundredth of a second. */
export type LingerLimits = { timeoutMs: number; bytesMax: number }

const lookedAtEveryMs = 10

/**
 * Lets the server close connections so that answers arrive. To close a socket that has unread bytes resets the
 * connection, and a client that sends a whole body before it reads loses the answer: where a body is still coming,
 * the answer is followed by FIN, and the rest of the body is read and dropped within these limits.
 */
export function lingerOnClose(server: Server, limits: LingerLimits): void {
  const requests = new WeakMap<Socket, IncomingMessage>()
  server.on('connection', (socket: Socket) => {
    const closeSoon = socket.destroySoon
    // Node calls it behind the last answer of a connection.
    socket.destroySoon = () => {
      const req = requests.get(socket)
      if (!req || req.complete || socket.destroyed) closeSoon.call(socket)
      else linger(req, socket, limits)
    }
  })
  server.on('request', (req, res) => {
    requests.set(req.socket, req)
    if (hasBody(req)) res.once('finish', () => discard(req))
  })
}

/** Until the body has come, or nobody sends it any more. */
function linger(req: IncomingMessage, socket: Socket, { timeoutMs, bytesMax }: LingerLimits) {
  const close = () => void socket.destroy()
  const until = performance.now() + timeoutMs
  const bytesUntil = socket.bytesRead + bytesMax
  const timer = setInterval(() => {
    if (performance.now() > until || socket.bytesRead > bytesUntil) close()
  }, lookedAtEveryMs)
  socket.once('close', () => clearInterval(timer))
  const closeWhenWritten = () => {
    if (socket.writableFinished) close()
    else socket.once('finish', close)
  }
  req.once('end', closeWhenWritten).once('error', close)
  socket.once('end', closeWhenWritten)
  socket.end()
}

/** What nobody reads would hold the connection up: it is read for the next request. */
function discard(req: IncomingMessage): void {
  // Left by who gave the body up in the middle of a read.
  req.removeAllListeners('readable')
  req.resume()
}
