import { type KeyObject, randomUUID } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { unauthenticated } from './errors.js'
import { remembered } from './remembered.js'

/** For `keys.derive`: what users' tokens are signed with, by identity, and read by the gateway. */
export const userTokenPurpose = 'user tokens'

export const ourIssuer = 'figbase'

export type TokenSubject = {
  username: string
  isStaff: boolean
  /** The user's `token_generation`: raising it ends all refresh tokens that were issued before. */
  generation: number
}

export function signAccessToken(subject: TokenSubject, key: KeyObject, lifeMs: number): string {
  return sign('access', subject, key, lifeMs)
}

export function signRefreshToken(subject: TokenSubject, key: KeyObject, lifeMs: number): string {
  return sign('refresh', subject, key, lifeMs)
}

const verified = remembered<{ username: string; isStaff: boolean }>()

/** Throws `token_not_valid`, upon which a client refreshes: only for tokens, never for API keys. */
export function verifyAccessToken(
  token: string,
  key: KeyObject,
): { username: string; isStaff: boolean } {
  return verified(key, token, () => {
    const { username, isStaff, expiresOn } = verify('access', token, key)
    return { value: Object.freeze({ username, isStaff }), until: expiresOn }
  })
}

/** Throws `token_not_valid`. Whether the generation is still the user's is for identity to say. */
export function verifyRefreshToken(token: string, key: KeyObject): TokenSubject {
  const { expiresOn: _, ...subject } = verify('refresh', token, key)
  return subject
}

export const tokenNotValid = () =>
  unauthenticated('token_not_valid', 'the token is not valid, or not any more')

type TokenType = 'access' | 'refresh'

function sign(type: TokenType, subject: TokenSubject, key: KeyObject, lifeMs: number) {
  const { username, isStaff, generation } = subject
  return jwt.sign({ type, gen: generation, staff: isStaff }, key, {
    algorithm: 'HS256',
    issuer: ourIssuer,
    subject: username,
    jwtid: randomUUID(),
    expiresIn: Math.ceil(lifeMs / 1000),
  })
}

function verify(type: TokenType, token: string, key: KeyObject) {
  const claims = read(token, key)
  if (!claims || claims.type !== type || !claims.sub || !claims.exp) throw tokenNotValid()
  if (typeof claims.gen !== 'number' || typeof claims.staff !== 'boolean') throw tokenNotValid()
  const { sub: username, staff: isStaff, gen: generation } = claims
  return { username, isStaff, generation, expiresOn: claims.exp * 1000 }
}

function read(token: string, key: KeyObject) {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], issuer: ourIssuer })
    return typeof claims === 'string' ? undefined : claims
  } catch {
    return undefined
  }
}
