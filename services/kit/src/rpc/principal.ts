import type { KeyObject } from 'node:crypto'
import { create } from '@bufbuild/protobuf'
import { createContextKey } from '@connectrpc/connect'
import { type Principal, PrincipalSchema } from '@figbase/proto/common'
import jwt from 'jsonwebtoken'
import { unauthenticated } from '../errors.js'

export const principalHeader = 'figbase-principal'
export const requestIdHeader = 'figbase-request-id'
const lifeSeconds = 60

export const anonymous: Principal = create(PrincipalSchema)
export const system: Principal = create(PrincipalSchema, { isSystem: true })
export const user = (username: string, isStaff = false): Principal =>
  create(PrincipalSchema, { username, isStaff })

export const principalKey = createContextKey<Principal | undefined>(undefined)
export const requestIdKey = createContextKey('')

/** Short-lived: each forward signs afresh, so a long upload outlives its first signature. */
export function signPrincipal(principal: Principal, key: KeyObject): string {
  const claims = {
    u: principal.username,
    s: principal.isStaff,
    y: principal.isSystem,
  }
  return jwt.sign(claims, key, { algorithm: 'HS256', expiresIn: lifeSeconds })
}

/** Throws `unauthenticated` unless a peer with the same key signed it less than a minute ago. */
export function verifyPrincipal(token: string | null, key: KeyObject): Principal {
  if (!token) throw refused()
  try {
    const claims = jwt.verify(token, key, {
      algorithms: ['HS256'],
      clockTolerance: 5,
    })
    if (typeof claims === 'string' || !claims.exp) throw refused()
    return create(PrincipalSchema, {
      username: claims.u,
      isStaff: claims.s,
      isSystem: claims.y,
    })
  } catch {
    throw refused()
  }
}

const refused = () =>
  unauthenticated('not_authenticated', 'this call does not come from a trusted peer')
