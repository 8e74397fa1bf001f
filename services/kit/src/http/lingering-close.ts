import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import { hasBody } from './has-body.js'

export type LingeringCloseLimits = { timeoutMs: number; bytesMax: number }

const checkIntervalMs = 10

/**
 * Makes the server close connections in a way that responses arrive. Closing a socket with unread bytes resets
 * the connection, and a client that is still sending its body loses the response. So the response is followed by
 * FIN, and the rest of the body is read and discarded within these limits.
 */
export function enableLingeringClose(server: Server, limits: LingeringCloseLimits): void {
  const requests = new WeakMap<Socket, IncomingMessage>()
  server.on('connection', (socket: Socket) => {
    const closeSoon = socket.destroySoon
    // Node calls it after the last response of a connection.
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

/** Keeps the socket open until the body is complete, the client closes, or a limit is reached. */
function linger(
  req: IncomingMessage,
  socket: Socket,
  { timeoutMs, bytesMax }: LingeringCloseLimits,
) {
  const close = () => void socket.destroy()
  const until = performance.now() + timeoutMs
  const bytesUntil = socket.bytesRead + bytesMax
  const timer = setInterval(() => {
    if (performance.now() > until || socket.bytesRead > bytesUntil) close()
  }, checkIntervalMs)
  socket.once('close', () => clearInterval(timer))
  const closeWhenWritten = () => {
    if (socket.writableFinished) close()
    else socket.once('finish', close)
  }
  req.once('end', closeWhenWritten).once('error', close)
  socket.once('end', closeWhenWritten)
  socket.end()
}

/** Discards the rest of a body that the handler did not read, so that the next request can be parsed. */
function discard(req: IncomingMessage): void {
  // A reader that stopped in the middle of a read leaves this listener.
  req.removeAllListeners('readable')
  req.resume()
}
