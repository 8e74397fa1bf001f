import { type DescMethod, hasOption } from '@bufbuild/protobuf'
import { type ContextValues, createContextKey } from '@connectrpc/connect'
import { internal, type Principal } from '@figbase/proto/common'
import { denied, unauthenticated } from '../errors/errors.js'
import { newId } from '../ids.js'
import type { KeyRing } from '../keys/keys.js'
import { type RequestLimiter, tooManyRequests } from '../limits/requests.js'
import { clientAddressOf } from '../net/client-address.js'
import { type CredentialReaders, readAuthorization } from './authorization.js'
import { requireMethodAccess } from './key-access.js'
import {
  clientAddressHeader,
  keyedRequestHeader,
  principalHeader,
  requestIdHeader,
  verifyPrincipal,
} from './principal.js'

/** Keys of the peers, readers of clients' credentials, and the limiter of clients' requests. */
export type CallerKeys = CredentialReaders & { peers: KeyRing; requests: RequestLimiter }

/** `keyedRequest` is empty without one. `isPeer`: the call comes from another Figbase process. */
export type Caller = {
  principal: Principal
  requestId: string
  address: string
  keyedRequest: string
  isPeer: boolean
}

/** The caller if already authenticated, so that this happens once per call. */
export const callerKey = createContextKey<Caller | undefined>(undefined)

/** The remote address of a call's socket. */
export const peerAddressKey = createContextKey<() => string | undefined>(() => undefined)

/**
 * Authenticates a call: of a peer on behalf of a principal, or of a gRPC client with its own credentials. A principal
 * without a valid signature is refused, whatever else the call carries. A client is never the system, cannot call
 * RPCs marked `internal`, does not choose request id, address or keyed request, and is rate limited. Insufficient access of an API
 * key is refused here, for every RPC. Returns a promise only for API keys and external tokens.
 */
export function readCaller(
  { header, contextValues }: { header: Headers; contextValues?: ContextValues },
  method: DescMethod,
  keys: CallerKeys,
): Caller | Promise<Caller> {
  const signed = header.get(principalHeader)
  if (signed !== null) {
    const requestId = header.get(requestIdHeader) ?? ''
    const address = header.get(clientAddressHeader) ?? ''
    const principal = verifyPrincipal(signed, keys.peers)
    requireMethodAccess(principal, method)
    const keyedRequest = header.get(keyedRequestHeader) ?? ''
    return { principal, requestId, address, keyedRequest, isPeer: true }
  }
  const authorization = header.get('authorization')
  if (authorization === null) throw unauthenticated('not_authenticated', 'sign in first')
  const address = clientAddressOf(contextValues?.get(peerAddressKey)())
  const clientCaller = (principal: Principal): Caller => {
    const allowance = keys.requests.count(principal.username, address)
    if (allowance.isExceeded) throw tooManyRequests(allowance)
    if (hasOption(method, internal)) throw denied('SYSTEM')
    requireMethodAccess(principal, method)
    return { principal, requestId: newId(), address, keyedRequest: '', isPeer: false }
  }
  const principal = readAuthorization(authorization, keys, address)
  return principal instanceof Promise ? principal.then(clientCaller) : clientCaller(principal)
}
