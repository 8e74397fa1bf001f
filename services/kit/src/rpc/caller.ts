import { type DescMethod, hasOption } from '@bufbuild/protobuf'
import { type ContextValues, createContextKey } from '@connectrpc/connect'
import { internal, type Principal } from '@figbase/proto/common'
import { clientAddressOf } from '../client-address.js'
import { denied, unauthenticated } from '../errors.js'
import { newId } from '../ids.js'
import type { KeyRing } from '../keys.js'
import { type RequestLimiter, tooManyRequests } from '../ports/limits/requests.js'
import { type CredentialReaders, readAuthorization } from './authorization.js'
import { requireMethodAccess } from './key-access.js'
import {
  clientAddressHeader,
  principalHeader,
  requestIdHeader,
  verifyPrincipal,
} from './principal.js'

/** What peers sign principals with, what users' credentials are read with, and what counts their calls. */
export type CallerKeys = CredentialReaders & { peers: KeyRing; requests: RequestLimiter }

/** `isPeer`: one of our own processes. */
export type Caller = { principal: Principal; requestId: string; address: string; isPeer: boolean }

/** Set where the caller was read already, so that it is read once a call. */
export const callerKey = createContextKey<Caller | undefined>(undefined)

/** What the socket of a call says that its other end is. */
export const peerAddressKey = createContextKey<() => string | undefined>(() => undefined)

/**
 * Who calls: a peer in somebody's name, or a gRPC caller from outside with credentials of its own.
 * A principal that no peer signed is refused, whatever else the call carries. A caller from outside
 * is never the system, reaches no RPC marked `internal`, chooses neither the request's id nor its
 * address, and is counted. What an API key is too weak for is refused here, for each RPC of each
 * service. A promise only for a caller with an API key.
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
    return { principal, requestId, address, isPeer: true }
  }
  const authorization = header.get('authorization')
  if (authorization === null) throw unauthenticated('not_authenticated', 'sign in first')
  const address = clientAddressOf(contextValues?.get(peerAddressKey)())
  const fromOutside = (principal: Principal): Caller => {
    const allowance = keys.requests.count(principal.username, address)
    if (allowance.isExceeded) throw tooManyRequests(allowance)
    if (hasOption(method, internal)) throw denied('SYSTEM')
    requireMethodAccess(principal, method)
    return { principal, requestId: newId(), address, isPeer: false }
  }
  const principal = readAuthorization(authorization, keys, address)
  return principal instanceof Promise ? principal.then(fromOutside) : fromOutside(principal)
}
