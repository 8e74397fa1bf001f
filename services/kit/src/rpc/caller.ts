import type { KeyObject } from 'node:crypto'
import { type DescMethod, hasOption } from '@bufbuild/protobuf'
import { internal, type Principal } from '@figbase/proto/common'
import { denied, unauthenticated } from '../errors.js'
import { newId } from '../ids.js'
import { readAuthorization } from './authorization.js'
import { principalHeader, requestIdHeader, verifyPrincipal } from './principal.js'

/** What peers sign principals with, and what users' access tokens are signed with. */
export type CallerKeys = { peers: KeyObject; tokens: KeyObject }

export type Caller = { principal: Principal; requestId: string }

/**
 * Who calls: a peer in somebody's name, or a gRPC caller from outside with credentials of its own.
 * A principal that no peer signed is refused, whatever else the call carries. A caller from outside
 * is never the system, reaches no RPC marked `internal`, and does not choose the request's id.
 */
export function readCaller(header: Headers, method: DescMethod, keys: CallerKeys): Caller {
  const signed = header.get(principalHeader)
  if (signed !== null) {
    const requestId = header.get(requestIdHeader) ?? ''
    return { principal: verifyPrincipal(signed, keys.peers), requestId }
  }
  const authorization = header.get('authorization')
  if (authorization === null) throw unauthenticated('not_authenticated', 'sign in first')
  const principal = readAuthorization(authorization, keys.tokens)
  if (hasOption(method, internal)) throw denied('SYSTEM')
  return { principal, requestId: newId() }
}
