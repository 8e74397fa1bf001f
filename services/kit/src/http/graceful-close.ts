import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '../log.js'

const closeIdleIntervalMs = 50
const closeUnusedAfterMs = 500

/**
 * Returns a function that closes the server gracefully: it refuses new connections, completes requests in flight,
 * and closes idle connections. After `timeoutMs` it logs a warning and closes all connections.
 */
export function createGracefulClose(
  server: Server,
  log: Logger,
): (timeoutMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async (timeoutMs) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const force = setTimeout(() => {
      log.warn(
        { connections: sockets.size, timeoutMs },
        'shutdown timed out: closing the remaining connections',
      )
      server.closeAllConnections()
    }, timeoutMs)
    // Responses that began before the shutdown keep their connections open.
    const idle = setInterval(() => server.closeIdleConnections(), closeIdleIntervalMs)
    // Clients open connections in advance, which Node.js does not count as idle. Wait for data under way.
    const unused = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, closeUnusedAfterMs)
    await closed
    clearTimeout(force)
    clearInterval(idle)
    clearTimeout(unused)
  }
}
