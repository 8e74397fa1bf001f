import type { DescMethod, DescMethodUnary, DescService } from '@bufbuild/protobuf'
import { MethodOptions_IdempotencyLevel as Idempotency } from '@bufbuild/protobuf/wkt'
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect'
import { Health, HealthCheckResponse_ServingStatus as Status } from '@figbase/proto/health'
import type { KeyRing } from '../keys.js'
import { actAs } from './call.js'
import type { CallSettings } from './call-settings.js'
import { clientInterceptor } from './interceptors.js'
import { connectNeighbours } from './neighbours.js'
import { anonymous, user } from './principal.js'

export type NeighbourState = 'serving' | 'not ready' | 'another service' | 'another secret'

/** `keys`: what peers sign principals with. */
export type AskOptions = { keys: KeyRing; calls: CallSettings; timeoutMs: number }

/** How a service answers its callers at this address; changes nothing. Throws when it does not answer. */
export async function askNeighbour(
  service: DescService,
  url: string,
  { keys, calls, timeoutMs }: AskOptions,
): Promise<NeighbourState> {
  const name = service.typeName.split('.')[1] ?? ''
  const interceptors = [clientInterceptor(keys)]
  await using remote = connectNeighbours({ [name]: [url] }, interceptors, { settings: calls })
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

/** Health is open to everyone. Any other call tells, whatever else it is refused for. */
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
