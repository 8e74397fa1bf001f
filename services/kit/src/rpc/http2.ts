import {
  createSecureServer,
  createServer,
  type Http2SecureServer,
  type Http2Server,
  type ServerHttp2Session,
} from 'node:http2'
import { type AddressInfo, Server, type Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ConfigError } from '../config/config.js'
import type { Logger } from '../log.js'
import { countStreams, endSession } from './end-session.js'
import { withEndedRequestsIgnored } from './ended-request.js'
import { withPlainMessages } from './grpc-message.js'
import { createHttp2Handler } from './http2-handler.js'
import { type RpcServed, servedRoutes } from './served-routes.js'
import type { RpcTls } from './tls.js'
import { withUnreadRequestsReset } from './unread-request.js'

export type RpcServer = AsyncDisposable & { port: number }

export type RpcAddress = {
  host: string
  port: number
  shutdownTimeoutMs: number
  reflection?: boolean
  /** Mutual TLS: every caller must present a certificate of this authority. */
  tls?: RpcTls | undefined
  /** Logs connections without a valid certificate, and responses that cannot be sent. */
  log?: Logger
}

/**
 * Serves any number of services and their health on one port over HTTP/2, to peers and gRPC clients. Disposal refuses
 * new calls and waits for calls in flight.
 */
export async function serveHttp2(served: RpcServed[], address: RpcAddress): Promise<RpcServer> {
  const { reflection = false } = address
  const stopping = new AbortController()
  const routes = servedRoutes(served, { reflection, stopping: stopping.signal })
  const handler = createHttp2Handler(routes, address.log)
  const listener = withEndedRequestsIgnored(withUnreadRequestsReset(withPlainMessages(handler)))
  const { tls } = address
  const server = tls
    ? createSecureServer({ ...tls, requestCert: true, rejectUnauthorized: true }, listener)
    : createServer(listener)
  server.on('tlsClientError', (error: Error, socket: TLSSocket) => {
    const { remoteAddress, authorizationError } = socket
    const reason = String(authorizationError ?? error.message)
    address.log?.warn({ remoteAddress, reason }, 'connection refused: no valid certificate')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new ConfigError(`RPC_PORT: ${message}`)))
    server.listen(address.port, address.host, resolve)
  })
  const sessions = trackSessions(server, tls ? 'secureConnection' : 'connection')
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      // Not that of HTTP/2, which also closes the sessions since Node.js 24: callers would not be told before.
      const closed = new Promise<void>((resolve) =>
        Server.prototype.close.call(server, () => resolve()),
      )
      for (const [session, socket] of sessions) endSession(session, socket)
      const { shutdownTimeoutMs: timeoutMs } = address
      const force = setTimeout(() => {
        address.log?.warn(
          { connections: sessions.size, timeoutMs },
          'shutdown timed out; closing connections with calls in flight',
        )
        for (const [session, socket] of sessions) {
          session.destroy()
          socket.destroy()
        }
      }, timeoutMs)
      await closed
      clearTimeout(force)
    },
  }
}

/** The open sessions and their connections, which a session does not show. */
function trackSessions(
  server: Http2Server | Http2SecureServer,
  event: 'connection' | 'secureConnection',
) {
  const sessions = new Map<ServerHttp2Session, Socket>()
  let connected: Socket | undefined
  // The server creates the session of a connection at once.
  server.prependListener(event, (socket: Socket) => {
    connected = socket
  })
  server.on('session', (session: ServerHttp2Session) => {
    if (connected) sessions.set(session, connected)
    countStreams(session)
    session.on('close', () => sessions.delete(session))
  })
  return sessions
}
