import { randomUUID } from 'node:crypto'
import { unauthenticated } from './errors.js'
import type { KeyRing } from './keys.js'
import { remembered } from './remembered.js'
import { readToken, signToken } from './signed-token.js'

/** For `keys.derive`: what users' tokens are signed with, by identity, and read by the gateway. */
export const userTokenPurpose = 'user tokens'

export const ourIssuer = 'figbase'

export type TokenSubject = {
  username: string
  isStaff: boolean
  /** The user's `token_generation`: raising it ends all refresh tokens that were issued before. */
  generation: number
}

/** `id` is a UUID, of this token alone; `expiresOn` in ms since 1970. */
export type IssuedToken = TokenSubject & { id: string; expiresOn: number }

export function signAccessToken(subject: TokenSubject, ring: KeyRing, lifeMs: number): string {
  return sign('access', subject, ring, lifeMs)
}

export function signRefreshToken(subject: TokenSubject, ring: KeyRing, lifeMs: number): string {
  return sign('refresh', subject, ring, lifeMs)
}

const verified = remembered<{ username: string; isStaff: boolean }>()

/** Throws `token_not_valid`, upon which a client refreshes: only for tokens, never for API keys. */
export function verifyAccessToken(
  token: string,
  ring: KeyRing,
): { username: string; isStaff: boolean } {
  return verified(ring, token, () => {
    const { username, isStaff, expiresOn } = verify('access', token, ring)
    return { value: Object.freeze({ username, isStaff }), until: expiresOn }
  })
}

/** Throws `token_not_valid`. Whether it was revoked, by itself or with its generation, is for identity to say. */
export function verifyRefreshToken(token: string, ring: KeyRing): IssuedToken {
  return verify('refresh', token, ring)
}

/** For the cookie of a browser; good for nothing else. */
export function signSessionToken(subject: TokenSubject, ring: KeyRing, lifeMs: number): string {
  return sign('session', subject, ring, lifeMs)
}

/** As verifyRefreshToken. */
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
