import { randomUUID } from 'node:crypto'
import { unauthenticated } from '../errors/errors.js'
import type { KeyRing } from './keys.js'
import { memoized } from './memoize.js'
import { readToken, signToken } from './signed-token.js'

/** Purpose for `keys.derive` of the keys that sign users' tokens. */
export const userTokenPurpose = 'user tokens'

export const ourIssuer = 'figbase'

export type TokenSubject = {
  username: string
  isStaff: boolean
  /** The user's `token_generation`: raising it revokes all refresh tokens issued before. */
  generation: number
}

/** `id` is the token's own UUID; `expiresOn` is in ms since 1970. */
export type IssuedToken = TokenSubject & { id: string; expiresOn: number }

export function signAccessToken(subject: TokenSubject, ring: KeyRing, lifeMs: number): string {
  return sign('access', subject, ring, lifeMs)
}

export function signRefreshToken(subject: TokenSubject, ring: KeyRing, lifeMs: number): string {
  return sign('refresh', subject, ring, lifeMs)
}

const verified = memoized<{ username: string; isStaff: boolean }>()

/** Throws `token_not_valid`, upon which clients refresh: never use that code for API keys. */
export function verifyAccessToken(
  token: string,
  ring: KeyRing,
): { username: string; isStaff: boolean } {
  return verified(ring, token, () => {
    const { username, isStaff, expiresOn } = verify('access', token, ring)
    return { value: Object.freeze({ username, isStaff }), until: expiresOn }
  })
}

/** Throws `token_not_valid`. Only identity knows whether the token or its generation was revoked. */
export function verifyRefreshToken(token: string, ring: KeyRing): IssuedToken {
  return verify('refresh', token, ring)
}

/** Token of a browser's session cookie. */
export function signSessionToken(subject: TokenSubject, ring: KeyRing, lifeMs: number): string {
  return sign('session', subject, ring, lifeMs)
}

/** Like verifyRefreshToken. */
export function verifySessionToken(token: string, ring: KeyRing): IssuedToken {
  return verify('session', token, ring)
}

export const tokenNotValid = () =>
  unauthenticated('token_not_valid', 'the token is invalid or expired')

type TokenType = 'access' | 'refresh' | 'session'

function sign(type: TokenType, subject: TokenSubject, ring: KeyRing, lifeMs: number) {
  const { username, isStaff, generation } = subject
  return signToken({ type, gen: generation, staff: isStaff }, ring, {
    issuer: ourIssuer,
    subject: username,
    jwtid: randomUUID(),
    expiresIn: Math.ceil(lifeMs / 1000),
  })
}

function verify(type: TokenType, token: string, ring: KeyRing): IssuedToken {
  const claims = readToken(token, ring, { issuer: ourIssuer })
  if (!claims || claims.type !== type || !claims.sub || !claims.exp) throw tokenNotValid()
  if (!claims.jti) throw tokenNotValid()
  if (typeof claims.gen !== 'number' || typeof claims.staff !== 'boolean') throw tokenNotValid()
  const { sub: username, staff: isStaff, gen: generation, jti: id } = claims
  return { username, isStaff, generation, id, expiresOn: claims.exp * 1000 }
}
