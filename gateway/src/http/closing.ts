import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from '@figbase/kit'

const idleClosedEveryMs = 50
const silentClosedAfterMs = 500

/**
 * How to end a server: new connections are refused, requests in flight are answered, and connections that carry
 * none are closed. What takes longer than `timeoutMs` is cut off, and told.
 */
export function closing(server: Server, log: Logger): (timeoutMs: number) => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return async (timeoutMs) => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    const force = setTimeout(() => {
      log.warn({ connections: sockets.size, timeoutMs }, 'requests took too long for the stop')
      server.closeAllConnections()
    }, timeoutMs)
    // Answers that began before the stop left their connections open.
    const idle = setInterval(() => server.closeIdleConnections(), idleClosedEveryMs)
    // Clients open connections ahead of need; for Node.js they are not idle. What is on its way may still come.
    const silent = setTimeout(() => {
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    }, silentClosedAfterMs)
    await closed
    clearTimeout(force)
    clearInterval(idle)
    clearTimeout(silent)
  }
}
