import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { readSettings } from './config.js'
import { Lifecycle } from './lifecycle.js'
import { createLogger } from './log.js'
import type { Operations } from './operations/open.js'
import type { Check } from './operations/readiness.js'
import type { ObjectStore } from './ports/objects/port.js'
import { type RpcServer, serveHttp2 } from './rpc/http2.js'
import { clientInterceptor } from './rpc/interceptors.js'
import { createLocalTransport } from './rpc/local-transport.js'
import type { Service } from './service.js'
import { readRpcSettings, readRuntimeSettings } from './settings.js'
import { internalKeyPurpose, type StartedService, startService } from './start-service.js'
import type { Tracing } from './tracing/span.js'

export type ComposeOptions = {
  env: Record<string, string | undefined>
  objects: ObjectStore
  /** Binary round trip of each message; on in tests. */
  isolate: boolean
  operations?: Operations | undefined
  tracing?: Tracing | undefined
}

export type Composition = AsyncDisposable & {
  transportTo(service: DescService): Transport
  /** Whether each service can answer calls, by its name. */
  checks: Map<string, Check>
  /** Where gRPC callers reach all the services; undefined unless asked for (`RPC_PORT`). */
  rpcPort: number | undefined
}

/** Many services in one process, calling each other in memory. */
export async function compose(services: Service[], options: ComposeOptions): Promise<Composition> {
  // All services' settings are read before any starts, so that one message names all that is wrong.
  const { keys, ...rpc } = readSettings(options.env, (env) => {
    for (const service of services) service.config(env)
    return { ...readRuntimeSettings(env), ...readRpcSettings(env) }
  })
  const internalKeys = keys.derive(internalKeyPurpose)
  const lifecycle = new Lifecycle()
  const started: StartedService[] = []
  let transport: Transport | undefined
  let server: RpcServer | undefined
  const transportTo = () => {
    if (!transport) throw new Error('a neighbour was called before the services were composed')
    return transport
  }
  try {
    for (const service of services) {
      const one = await startService(service, { ...options, transportTo })
      lifecycle.onStop(() => one[Symbol.asyncDispose]())
      started.push(one)
    }
    transport = createLocalTransport(
      started.map((one) => one.server),
      {
        interceptors: [clientInterceptor(internalKeys)],
        isolate: options.isolate,
      },
    )
    if (rpc.rpcPort !== undefined) {
      const { rpcHost: host, rpcPort: port, reflection, shutdownTimeoutMs, tls, logLevel } = rpc
      const log = createLogger('rpc', logLevel)
      const address = { host, port, reflection, shutdownTimeoutMs, tls, log }
      server = await serveHttp2(
        started.map((one) => one.server),
        address,
      )
      lifecycle.onStop(() => server?.[Symbol.asyncDispose]())
    }
    for (const one of started) lifecycle.onStop(one.stop)
    for (const one of started) await one.work()
  } catch (error) {
    await lifecycle[Symbol.asyncDispose]()
    throw error
  }
  return {
    transportTo,
    checks: new Map(started.map(({ name, server }) => [name, server.isHealthy])),
    rpcPort: server?.port,
    [Symbol.asyncDispose]: () => lifecycle[Symbol.asyncDispose](),
  }
}
