import type { DescMethod, DescService } from '@bufbuild/protobuf'
import {
  Code,
  ConnectError,
  createClient,
  type Interceptor,
  type Transport,
} from '@connectrpc/connect'
import { createTransport } from '@connectrpc/connect/protocol-connect'
import { Health, HealthCheckResponse_ServingStatus } from '@figbase/proto/health'
import type { Check } from '../operations/readiness.js'
import { createBalancedClient } from './balanced-client.js'
import { actAs } from './call.js'
import { type CallSettings, defaultCallSettings } from './call-settings.js'
import { messageBytesMax } from './local-transport.js'
import { anonymous } from './principal.js'
import { Replicas, type Resolve } from './replicas.js'

export type RemoteNeighbours = AsyncDisposable & {
  transportTo(service: DescService): Transport
  /** Whether each can answer calls, by its name: what its `grpc.health.v1` says. */
  checks: Map<string, Check>
}

export type NeighbourOptions = {
  settings?: CallSettings
  /** In place of the system's look-up of host names. */
  resolve?: Resolve
}

type Neighbour = { transport: Transport; replicas: Replicas; methods: Map<string, DescMethod> }

/** Of a health check. */
const checkTimeoutMs = 2000

/**
 * Calls to neighbours in other processes: one HTTP/2 connection a replica, opened at the first call
 * to it. `urls` by service name; each may have several addresses.
 */
export function connectNeighbours(
  urls: Record<string, string[]>,
  interceptors: Interceptor[],
  { settings = defaultCallSettings, resolve }: NeighbourOptions = {},
): RemoteNeighbours {
  const neighbours = new Map<string, Neighbour>()

  function connect(name: string): Neighbour {
    const own = urls[name] ?? []
    if (own.length === 0) throw new Error(`${name.toUpperCase()}_URL is not set`)
    const replicas = new Replicas(own, settings, resolve)
    const methods: Neighbour['methods'] = new Map()
    const baseUrl = `http://${name}`
    const { retriesMax } = settings
    const transport = createTransport({
      baseUrl,
      httpClient: createBalancedClient(replicas, { name, baseUrl, methods, retriesMax }),
      useBinaryFormat: true,
      acceptCompression: [],
      sendCompression: null,
      compressMinBytes: 0,
      readMaxBytes: messageBytesMax,
      writeMaxBytes: messageBytesMax,
      interceptors,
    })
    return { transport: withDeadlines(transport, settings.timeoutMs), replicas, methods }
  }

  function find(name: string): Neighbour {
    const neighbour = neighbours.get(name) ?? connect(name)
    neighbours.set(name, neighbour)
    return neighbour
  }

  async function isServing(name: string): Promise<boolean> {
    const health = createClient(Health, find(name).transport)
    const { status } = await health.check({}, { ...actAs(anonymous), timeoutMs: checkTimeoutMs })
    return status === HealthCheckResponse_ServingStatus.SERVING
  }

  return {
    checks: new Map(Object.keys(urls).map((name) => [name, () => isServing(name)])),
    transportTo(service) {
      const neighbour = find(service.typeName.split('.')[1] ?? '')
      for (const method of service.methods) {
        neighbour.methods.set(`/${service.typeName}/${method.name}`, method)
      }
      return neighbour.transport
    },
    async [Symbol.asyncDispose]() {
      for (const { replicas } of neighbours.values()) replicas[Symbol.dispose]()
    },
  }
}

/** Connect takes a time that is up for none at all. On the wire it is a whole number. */
function withDeadlines(transport: Transport, unaryTimeoutMs: number): Transport {
  const whole = (timeoutMs: number) => {
    if (timeoutMs > 0) return Math.ceil(timeoutMs)
    throw new ConnectError('the time of the call was up', Code.DeadlineExceeded)
  }
  return {
    async unary(method, signal, timeoutMs, ...rest) {
      return transport.unary(method, signal, whole(timeoutMs ?? unaryTimeoutMs), ...rest)
    },
    async stream(method, signal, timeoutMs, ...rest) {
      const given = timeoutMs === undefined ? undefined : whole(timeoutMs)
      return transport.stream(method, signal, given, ...rest)
    },
  }
}
