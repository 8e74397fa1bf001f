import jwt from 'jsonwebtoken'
import type { KeyRing } from './keys.js'

/** A JSON web token of these claims, signed with the current key, which its header names as `kid`. */
export function signToken(claims: object, ring: KeyRing, options: jwt.SignOptions): string {
  const { id, key } = ring.current
  return jwt.sign(claims, key, { ...options, algorithm: 'HS256', keyid: id })
}

/** Its claims; undefined unless one of our keys signed it, that which it names, and it still holds. */
export function readToken(
  token: string,
  ring: KeyRing,
  options: { issuer?: string; clockTolerance?: number },
): jwt.JwtPayload | undefined {
  for (const { key } of signersOf(token, ring)) {
    try {
      const claims = jwt.verify(token, key, { ...options, algorithms: ['HS256'] })
      return typeof claims === 'string' ? undefined : claims
    } catch {
      // Another key may have signed it.
    }
  }
  return undefined
}

/** Tokens from before keys had names carry none: any key may have signed them. */
function signersOf(token: string, ring: KeyRing) {
  const header = headerOf(token)
  if (!header) return []
  const kid: unknown = header.kid
  if (kid === undefined) return ring.all
  const signer = typeof kid === 'string' ? ring.find(kid) : undefined
  return signer ? [signer] : []
}

function headerOf(token: string) {
  try {
    return jwt.decode(token, { complete: true })?.header
  } catch {
    return undefined
  }
}
