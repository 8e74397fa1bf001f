import { create } from '@bufbuild/protobuf'
import { createContextKey } from '@connectrpc/connect'
import { type Principal, PrincipalSchema } from '@figbase/proto/common'
import { unauthenticated } from '../errors/errors.js'
import type { KeyRing } from '../keys/keys.js'
import { memoized } from '../keys/memoize.js'
import { readToken, signToken } from '../keys/signed-token.js'

export const principalHeader = 'figbase-principal'
export const requestIdHeader = 'figbase-request-id'
export const clientAddressHeader = 'figbase-client-address'
export const keyedRequestHeader = 'figbase-keyed-request'
const lifeSeconds = 60
/** How long a signature is reused; a sent signature stays valid for at least twice as long. */
const reuseMs = 20_000

export const anonymous: Principal = create(PrincipalSchema)
export const system: Principal = create(PrincipalSchema, { isSystem: true })
export const user = (username: string, isStaff = false): Principal =>
  create(PrincipalSchema, { username, isStaff })

export const principalKey = createContextKey<Principal | undefined>(undefined)
export const requestIdKey = createContextKey('')
export const clientAddressKey = createContextKey('')
export const keyedRequestKey = createContextKey('')

const signed = memoized<{ token: string }>()

/** Signs a principal, with a short lifetime: every forwarded call is signed again. */
export function signPrincipal(principal: Principal, ring: KeyRing): string {
  const { username, isStaff, isSystem, apiKey } = principal
  const claims = {
    u: username,
    s: isStaff,
    y: isSystem,
    ...(apiKey && { k: apiKey.id, w: apiKey.workspaceId, a: apiKey.access }),
  }
  return signed(ring, JSON.stringify(claims), () => ({
    value: { token: signToken(claims, ring, { expiresIn: lifeSeconds }) },
    until: Date.now() + reuseMs,
  })).token
}

const verified = memoized<Principal>()

/** Throws `unauthenticated` unless a peer with a known key signed it less than a minute ago. */
export function verifyPrincipal(token: string | null, ring: KeyRing): Principal {
  if (!token) throw refused()
  return verified(ring, token, () => {
    const { principal, until } = read(token, ring)
    return { value: Object.freeze(principal), until }
  })
}

function read(token: string, ring: KeyRing) {
  const claims = readToken(token, ring, { clockTolerance: 5 })
  if (!claims?.exp) throw refused()
  const { u: username, s: isStaff, y: isSystem, k: id, w: workspaceId, a: access, exp } = claims
  const apiKey = id === undefined ? {} : { apiKey: { id, workspaceId, access } }
  const principal = create(PrincipalSchema, { username, isStaff, isSystem, ...apiKey })
  return { principal, until: exp * 1000 }
}

const refused = () =>
  unauthenticated('not_authenticated', 'this call does not come from a trusted peer')
