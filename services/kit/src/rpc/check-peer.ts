import type { DescMethod, DescMethodUnary, DescService } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect'
import { Health, HealthCheckResponse_ServingStatus as Status } from '@figbase/proto/health'
import type { KeyRing } from '../keys/keys.js'
import { actAs } from './call.js'
import type { CallSettings } from './call-settings.js'
import { clientInterceptor } from './interceptors.js'
import { peerNameOf } from './peer-name.js'
import { connectPeers } from './peers.js'
import { anonymous, user } from './principal.js'

export type PeerState = 'serving' | 'not ready' | 'another service' | 'another secret'

/** `keys`: those of the peers. */
export type AskOptions = { keys: KeyRing; calls: CallSettings; timeoutMs: number }

/** Checks, without side effects, the service at a URL. Throws if it does not respond. */
export async function checkPeer(
  service: DescService,
  url: string,
  { keys, calls, timeoutMs }: AskOptions,
): Promise<PeerState> {
  const name = peerNameOf(service)
  const interceptors = [clientInterceptor(keys)]
  await using remote = connectPeers({ [name]: [url] }, interceptors, { settings: calls })
  const transport = remote.transportTo(service)
  const status = await statusOf(transport, service, timeoutMs)
  if (status === undefined) return 'another service'
  if (!(await isTrusted(transport, service, timeoutMs))) return 'another secret'
  return status === Status.SERVING ? 'serving' : 'not ready'
}

async function statusOf(transport: Transport, { typeName }: DescService, timeoutMs: number) {
  const health = createClient(Health, transport)
  try {
    const options = { ...actAs(anonymous), timeoutMs }
    const { status } = await health.check({ service: typeName }, options)
    return status
  } catch (error) {
    if (!isOneOf(error, Code.NotFound, Code.Unimplemented)) throw error
    return undefined
  }
}

/** Health needs no authentication, so another method is called; only `unauthenticated` means another secret. */
async function isTrusted(transport: Transport, { methods }: DescService, timeoutMs: number) {
  const method = methods.find(changesNothing)
  if (!method) return true
  const { contextValues } = actAs(user('doctor'))
  try {
    await transport.unary(method, undefined, timeoutMs, undefined, {}, contextValues)
    return true
  } catch (error) {
    return !isOneOf(error, Code.Unauthenticated)
  }
}

const changesNothing = (method: DescMethod): method is DescMethodUnary =>
  method.methodKind === 'unary' && method.idempotency === Idempotency.NO_SIDE_EFFECTS

const isOneOf = (error: unknown, ...codes: Code[]) => codes.includes(ConnectError.from(error).code)
