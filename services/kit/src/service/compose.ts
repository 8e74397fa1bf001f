import type { DescService } from '@bufbuild/protobuf'
import type { Transport } from '@connectrpc/connect'
import { readSettings } from '../config/config.js'
import { Lifecycle } from '../lifecycle/lifecycle.js'
import { createLogger } from '../log.js'
import type { ObjectStore } from '../objects/port.js'
import type { Operations } from '../operations/open.js'
import type { Check } from '../operations/readiness.js'
import { type RpcServer, serveHttp2 } from '../rpc/http2.js'
import { clientInterceptor } from '../rpc/interceptors.js'
import { createLocalTransport } from '../rpc/local-transport.js'
import type { Tracing } from '../scope/span.js'
import { readRpcSettings, readRuntimeSettings } from '../settings/runtime.js'
import { internalKeyPurpose, operationsServers } from './rpc-server.js'
import type { Service } from './service.js'
import { type StartedService, startService } from './start-service.js'

export type ComposeOptions = {
  env: Record<string, string | undefined>
  objects: ObjectStore
  /** Whether messages are serialized as on the wire; on in tests. */
  isolate: boolean
  operations?: Operations | undefined
  tracing?: Tracing | undefined
}

export type Composition = AsyncDisposable & {
  transportTo(service: DescService): Transport
  /** Health checks of the services, by name. */
  checks: Map<string, Check>
  /** Port of the gRPC server; undefined if disabled (`RPC_PORT`). */
  rpcPort: number | undefined
}

/** Runs several services in one process, which call each other in memory. */
export async function compose(services: Service[], options: ComposeOptions): Promise<Composition> {
  // Read all settings before any service starts, so that one error lists all problems.
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
    if (!transport) throw new Error('peer called before all services were composed')
    return transport
  }
  try {
    for (const service of services) {
      const running = await startService(service, { ...options, transportTo })
      lifecycle.onStop(() => running[Symbol.asyncDispose]())
      started.push(running)
    }
    const servers = [...started.map(({ server }) => server), ...operationsServers(started)]
    transport = createLocalTransport(servers, {
      interceptors: [clientInterceptor(internalKeys)],
      isolate: options.isolate,
    })
    if (rpc.rpcPort !== undefined) {
      const { rpcHost: host, rpcPort: port, reflection, shutdownTimeoutMs, tls, logLevel } = rpc
      const log = createLogger('rpc', logLevel)
      const address = { host, port, reflection, shutdownTimeoutMs, tls, log }
      server = await serveHttp2(servers, address)
      lifecycle.onStop(() => server?.[Symbol.asyncDispose]())
    }
    for (const service of started) lifecycle.onStop(service.stop)
    for (const service of started) await service.work()
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
