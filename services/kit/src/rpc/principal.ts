import type { KeyObject } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { createContextKey } from '@connectrpc/connect'
import { type Principal, PrincipalSchema } from '@figbase/proto/common'
import jwt from 'jsonwebtoken'
import { unauthenticated } from '../errors.js'
import { remembered } from '../remembered.js'

export const principalHeader = 'figbase-principal'
export const requestIdHeader = 'figbase-request-id'
export const clientAddressHeader = 'figbase-client-address'
const lifeSeconds = 60
/** How long a signature is used again: what is sent is good for twice as long. */
const reuseMs = 20_000

export const anonymous: Principal = create(PrincipalSchema)
export const system: Principal = create(PrincipalSchema, { isSystem: true })
export const user = (username: string, isStaff = false): Principal =>
  create(PrincipalSchema, { username, isStaff })

export const principalKey = createContextKey<Principal | undefined>(undefined)
export const requestIdKey = createContextKey('')
export const clientAddressKey = createContextKey('')

const signed = remembered<{ token: string }>()

/** Short-lived: each forward signs afresh, so a long upload outlives its first signature. */
export function signPrincipal(principal: Principal, key: KeyObject): string {
  const { username, isStaff, isSystem, apiKey } = principal
  const claims = {
    u: username,
    s: isStaff,
    y: isSystem,
    ...(apiKey && { k: apiKey.id, w: apiKey.workspaceId }),
  }
  return signed(key, JSON.stringify(claims), () => ({
    value: { token: jwt.sign(claims, key, { algorithm: 'HS256', expiresIn: lifeSeconds }) },
    until: Date.now() + reuseMs,
  })).token
}

const verified = remembered<Principal>()

/** Throws `unauthenticated` unless a peer with the same key signed it less than a minute ago. */
export function verifyPrincipal(token: string | null, key: KeyObject): Principal {
  if (!token) throw refused()
  return verified(key, token, () => {
    const { principal, until } = read(token, key)
    return { value: Object.freeze(principal), until }
  })
}

function read(token: string, key: KeyObject) {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], clockTolerance: 5 })
    if (typeof claims === 'string' || !claims.exp) throw refused()
    const { u: username, s: isStaff, y: isSystem, k: id, w: workspaceId, exp } = claims
    const apiKey = id === undefined ? {} : { apiKey: { id, workspaceId } }
    const principal = create(PrincipalSchema, { username, isStaff, isSystem, ...apiKey })
    return { principal, until: exp * 1000 }
  } catch {
    throw refused()
  }
}

const refused = () =>
  unauthenticated('not_authenticated', 'this call does not come from a trusted peer')
