import { IdentityService } from '@figbase/proto/identity'
import { SignInService } from '@figbase/proto/identity/sign-in'
import { OperationsService } from '@figbase/proto/operations'
import type { Keys } from '../keys/keys.js'
import { userTokenPurpose } from '../keys/user-tokens.js'
import type { RequestLimiter } from '../limits/requests.js'
import type { Logger } from '../log.js'
import type { Operations } from '../operations/open.js'
import { readApiKeyWith } from '../rpc/api-key.js'
import { readExternalTokenWith } from '../rpc/external-token.js'
import { serverInterceptor } from '../rpc/interceptors.js'
import type { RpcServed } from '../rpc/served-routes.js'
import type { Tracing } from '../scope/span.js'
import { type Operated, operationsOf } from './operations-service.js'
import type { Kit, Service } from './service.js'

/** Purpose for `keys.derive` of the keys with which peers sign principals. */
export const internalKeyPurpose = 'internal principal'

export type RpcServerOptions = {
  client: Kit<unknown>['client']
  keys: Keys
  requests: RequestLimiter
  isHealthy(): Promise<boolean>
  log: Logger
  operations: Operations | undefined
  tracing: Tracing | undefined
}

/** The routes of a service with their interceptors, for any transport. */
export function createRpcServer(
  service: Service,
  ctx: unknown,
  { client, keys, requests, isHealthy, log, operations, tracing }: RpcServerOptions,
): RpcServed {
  const served = operations?.metrics.callServed(service.name)
  const callerKeys = {
    peers: keys.derive(internalKeyPurpose),
    tokens: keys.derive(userTokenPurpose),
    readApiKey: readApiKeyWith(client(IdentityService)),
    readExternalToken: readExternalTokenWith(client(SignInService)),
    requests,
  }
  const constraintErrors = service.byConstraint ?? {}
  return {
    routes: service.routes(ctx),
    interceptors: [serverInterceptor(callerKeys, log, constraintErrors, { served, tracing })],
    callerKeys,
    isHealthy,
  }
}

/** The operations of all services of a process, which callers reach like a service; none without services. */
export function operationsServers(
  started: { server: RpcServed; operated: Operated }[],
): RpcServed[] {
  const [first] = started
  if (!first) return []
  const operations = operationsOf(started.map(({ operated }) => operated))
  return [{ ...first.server, routes: (router) => router.service(OperationsService, operations) }]
}
