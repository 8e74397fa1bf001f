import { createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { DescService } from '@bufbuild/protobuf'
import { createContextValues, type Interceptor, type Transport } from '@connectrpc/connect'
import {
  connectNodeAdapter,
  createConnectTransport,
  Http2SessionManager,
} from '@connectrpc/connect-node'
import { ConfigError } from '../config.js'
import { peerAddressKey } from './caller.js'
import { withPlainMessages } from './grpc-message.js'
import { messageBytesMax } from './local-transport.js'
import { type RpcServed, servedRoutes } from './served-routes.js'
import { withUnreadRequestsReset } from './unread-request.js'

export type RpcServer = AsyncDisposable & { port: number }

export type RpcAddress = {
  host: string
  port: number
  shutdownTimeoutMs: number
  reflection?: boolean
}

/**
 * Serves any number of services, and their health, on one port: to peers and to gRPC callers, over
 * HTTP/2 without TLS. Disposing refuses new calls and waits for those in flight.
 */
export async function serveHttp2(served: RpcServed[], address: RpcAddress): Promise<RpcServer> {
  const { reflection = false } = address
  const stopping = new AbortController()
  const handler = connectNodeAdapter({
    routes: servedRoutes(served, { reflection, stopping: stopping.signal }),
    contextValues: ({ socket }) =>
      createContextValues().set(peerAddressKey, () => socket.remoteAddress),
    acceptCompression: [],
    readMaxBytes: messageBytesMax,
    writeMaxBytes: messageBytesMax,
  })
  const server = createServer(withUnreadRequestsReset(withPlainMessages(handler)))
  await new Promise<void>((resolve, reject) => {
    server.once('error', ({ message }) => reject(new ConfigError(`RPC_PORT: ${message}`)))
    server.listen(address.port, address.host, resolve)
  })
  const sessions = trackSessions(server)
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const session of sessions) session.close()
      const force = setTimeout(() => {
        for (const session of sessions) session.destroy()
      }, address.shutdownTimeoutMs)
      await closed
      clearTimeout(force)
    },
  }
}

function trackSessions(server: Http2Server) {
  const sessions = new Set<import('node:http2').ServerHttp2Session>()
  server.on('session', (session) => {
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
  })
  return sessions
}

export type RemoteNeighbours = AsyncDisposable & {
  transportTo(service: DescService): Transport
}

/** One HTTP/2 connection a neighbour, opened at the first call. `urls` by service name. */
export function connectNeighbours(
  urls: Record<string, string>,
  interceptors: Interceptor[],
): RemoteNeighbours {
  const transports = new Map<string, Transport>()
  const managers: Http2SessionManager[] = []
  return {
    transportTo(service) {
      const name = service.typeName.split('.')[1] ?? ''
      const known = transports.get(name)
      if (known) return known
      const baseUrl = urls[name]
      if (!baseUrl) throw new Error(`${name.toUpperCase()}_URL is not set`)
      const sessionManager = new Http2SessionManager(baseUrl)
      managers.push(sessionManager)
      const transport = createConnectTransport({
        baseUrl,
        httpVersion: '2',
        useBinaryFormat: true,
        acceptCompression: [],
        readMaxBytes: messageBytesMax,
        writeMaxBytes: messageBytesMax,
        sessionManager,
        interceptors,
      })
      transports.set(name, transport)
      return transport
    },
    async [Symbol.asyncDispose]() {
      for (const manager of managers) manager.abort()
    },
  }
}
