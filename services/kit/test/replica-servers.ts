import { once } from 'node:events'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Client, ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { createLogger, type Logger } from '../src/log.js'
import { type CallSettings, defaultCallSettings } from '../src/rpc/call-settings.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { connectPeers, lazyClient } from '../src/rpc/index.js'
import { clientInterceptor, serverInterceptor } from '../src/rpc/interceptors.js'
import type { PeerOptions } from '../src/rpc/peers.js'
import type { RpcTls } from '../src/rpc/tls.js'
import { callerKeys } from './clients.js'

export type Handlers = Partial<ServiceImpl<typeof RevisionsService>>
export type RunningReplica = AsyncDisposable & { url: string; port: number }

export type ReplicaOptions = { host?: string; port?: number; tls?: RpcTls; log?: Logger }

/** One process of a service. Disposal drains it. */
export async function startReplica(
  handlers: Handlers,
  { host = '127.0.0.1', port = 0, ...options }: ReplicaOptions = {},
): Promise<RunningReplica> {
  const served = {
    routes: (router: ConnectRouter) => router.service(RevisionsService, handlers),
    interceptors: [
      serverInterceptor(callerKeys, options.log ?? createLogger('test', 'silent'), {}),
    ],
    callerKeys,
    isHealthy: async () => true,
  }
  const address = { host, port, shutdownTimeoutMs: 5000, ...options }
  const server = await serveHttp2([served], address)
  const scheme = options.tls ? 'https' : 'http'
  return {
    url: `${scheme}://${host}:${server.port}`,
    port: server.port,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** A failing replica: the test decides how it handles each call. */
export async function startFailing(fail: (stream: ServerHttp2Stream) => void) {
  const seen: string[] = []
  const server = createServer()
  const sessions = new Set<import('node:http2').ServerHttp2Session>()
  server.on('session', (session) => sessions.add(session))
  server.on('stream', (stream, headers) => {
    seen.push(String(headers[':path']))
    stream.on('error', () => {})
    fail(stream)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The received calls. */
    seen,
    async [Symbol.asyncDispose]() {
      for (const session of sessions) session.destroy()
      server.close()
    },
  }
}

export type Calling = AsyncDisposable & { client: Client<typeof RevisionsService> }

export function callReplicas(
  urls: string[],
  settings: Partial<CallSettings> = {},
  options: Pick<PeerOptions, 'resolve'> = {},
): Calling {
  const peers = connectPeers({ revisions: urls }, [clientInterceptor(callerKeys.peers)], {
    ...options,
    settings: { ...defaultCallSettings, ...settings },
  })
  return {
    client: lazyClient(RevisionsService, peers.transportTo),
    [Symbol.asyncDispose]: () => peers[Symbol.asyncDispose](),
  }
}
