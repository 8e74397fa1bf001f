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
import { peerNameOf, peerSettingOf } from './peer-name.js'
import { anonymous } from './principal.js'
import { Replicas, type Resolve } from './replicas.js'

export type RemotePeers = AsyncDisposable & {
  transportTo(service: DescService): Transport
  /** Checks of the peers by name, with `grpc.health.v1`. */
  checks: Map<string, Check>
}

export type PeerOptions = {
  settings?: CallSettings
  /** Replaces the system's resolver of host names. */
  resolve?: Resolve
}

type Peer = { transport: Transport; replicas: Replicas; methods: Map<string, DescMethod> }

/** Timeout of a health check. */
const checkTimeoutMs = 2000

/**
 * Connects to peers in other processes, with one HTTP/2 connection per replica, opened with the first call. `urls` are
 * by service name; a host may have several addresses.
 */
export function connectPeers(
  urls: Record<string, string[]>,
  interceptors: Interceptor[],
  { settings = defaultCallSettings, resolve }: PeerOptions = {},
): RemotePeers {
  const peers = new Map<string, Peer>()

  function connect(name: string): Peer {
    const own = urls[name] ?? []
    if (own.length === 0) throw new Error(`${peerSettingOf(name)} is not set`)
    const replicas = new Replicas(own, settings, resolve)
    const methods: Peer['methods'] = new Map()
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

  function find(name: string): Peer {
    const peer = peers.get(name) ?? connect(name)
    peers.set(name, peer)
    return peer
  }

  async function isServing(name: string): Promise<boolean> {
    const health = createClient(Health, find(name).transport)
    const { status } = await health.check({}, { ...actAs(anonymous), timeoutMs: checkTimeoutMs })
    return status === HealthCheckResponse_ServingStatus.SERVING
  }

  return {
    checks: new Map(Object.keys(urls).map((name) => [name, () => isServing(name)])),
    transportTo(service) {
      const peer = find(peerNameOf(service))
      for (const method of service.methods) {
        peer.methods.set(`/${service.typeName}/${method.name}`, method)
      }
      return peer.transport
    },
    async [Symbol.asyncDispose]() {
      for (const { replicas } of peers.values()) replicas[Symbol.dispose]()
    },
  }
}

/** Connect ignores a timeout that is not positive, and sends it as a whole number. */
function withDeadlines(transport: Transport, unaryTimeoutMs: number): Transport {
  const whole = (timeoutMs: number) => {
    if (timeoutMs > 0) return Math.ceil(timeoutMs)
    throw new ConnectError('the deadline of the call has passed', Code.DeadlineExceeded)
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
