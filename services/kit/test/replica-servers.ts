import { once } from 'node:events'
import { createServer, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import type { Client, ConnectRouter, ServiceImpl } from '@connectrpc/connect'
import { RevisionsService } from '@figbase/proto/revisions'
import { connectNeighbours, lazyClient } from '../src/index.js'
import { createLogger, type Logger } from '../src/log.js'
import { type CallSettings, defaultCallSettings } from '../src/rpc/call-settings.js'
import { serveHttp2 } from '../src/rpc/http2.js'
import { clientInterceptor, serverInterceptor } from '../src/rpc/interceptors.js'
import type { NeighbourOptions } from '../src/rpc/neighbours.js'
import type { RpcTls } from '../src/rpc/tls.js'
import { callerKeys } from './reach.js'

export type Handlers = Partial<ServiceImpl<typeof RevisionsService>>
export type RunningReplica = AsyncDisposable & { url: string; port: number }

export type ReplicaOptions = { host?: string; port?: number; tls?: RpcTls; log?: Logger }

/** One process of a service, as its neighbours see it. Disposing it drains it. */
export async function startReplica(
  handlers: Handlers,
  { host = '127.0.0.1', port = 0, ...options }: ReplicaOptions = {},
): Promise<RunningReplica> {
  const served = {
    routes: (router: ConnectRouter) => router.service(RevisionsService, handlers),
    interceptors: [serverInterceptor(callerKeys, createLogger('test', 'silent'), {})],
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

/** A replica that fails: what it does with each call is told by the test. */
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
    /** The calls that reached it. */
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
  options: Pick<NeighbourOptions, 'resolve'> = {},
): Calling {
  const neighbours = connectNeighbours({ revisions: urls }, [clientInterceptor(callerKeys.peers)], {
    ...options,
    settings: { ...defaultCallSettings, ...settings },
  })
  return {
    client: lazyClient(RevisionsService, neighbours.transportTo),
    [Symbol.asyncDispose]: () => neighbours[Symbol.asyncDispose](),
  }
}
