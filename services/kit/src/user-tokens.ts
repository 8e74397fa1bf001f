import { type KeyObject, randomUUID } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { unauthenticated } from './errors.js'

/** For `keys.derive`: what users' tokens are signed with, by identity, and read by the gateway. */
export const userTokenPurpose = 'user tokens'

const issuer = 'figbase'

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

/** Throws `token_not_valid`, upon which a client refreshes: only for tokens, never for API keys. */
export function verifyAccessToken(
  token: string,
  key: KeyObject,
): { username: string; isStaff: boolean } {
  const { username, isStaff } = verify('access', token, key)
  return { username, isStaff }
}

/** Throws `token_not_valid`. Whether the generation is still the user's is for identity to say. */
export function verifyRefreshToken(token: string, key: KeyObject): TokenSubject {
  return verify('refresh', token, key)
}

export const tokenNotValid = () =>
  unauthenticated('token_not_valid', 'the token is not valid, or not any more')

type TokenType = 'access' | 'refresh'

function sign(type: TokenType, subject: TokenSubject, key: KeyObject, lifeMs: number) {
  const { username, isStaff, generation } = subject
  return jwt.sign({ type, gen: generation, staff: isStaff }, key, {
    algorithm: 'HS256',
    issuer,
    subject: username,
    jwtid: randomUUID(),
    expiresIn: Math.ceil(lifeMs / 1000),
  })
}

function verify(type: TokenType, token: string, key: KeyObject): TokenSubject {
  const claims = read(token, key)
  if (!claims || claims.type !== type || !claims.sub || !claims.exp) throw tokenNotValid()
  if (typeof claims.gen !== 'number' || typeof claims.staff !== 'boolean') throw tokenNotValid()
  return { username: claims.sub, isStaff: claims.staff, generation: claims.gen }
}

function read(token: string, key: KeyObject) {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'], issuer })
    return typeof claims === 'string' ? undefined : claims
  } catch {
    return undefined
  }
}
