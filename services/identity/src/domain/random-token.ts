import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: they need no slow hash, and no limit on how often somebody guesses. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256: all that is stored of a token, of whatever kind. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
