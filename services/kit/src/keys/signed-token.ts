import jwt from 'jsonwebtoken'
import type { KeyRing } from './keys.js'

/** Signs a JSON web token with the current key; its id becomes the header `kid`. */
export function signToken(claims: object, ring: KeyRing, options: jwt.SignOptions): string {
  const { id, key } = ring.current
  return jwt.sign(claims, key, { ...options, algorithm: 'HS256', keyid: id })
}

/** The claims of a token; undefined unless it is valid and signed with the key that it names. */
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
      // Try the next key.
    }
  }
  return undefined
}

/** Tokens of older versions have no `kid`: any key may have signed them. */
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
