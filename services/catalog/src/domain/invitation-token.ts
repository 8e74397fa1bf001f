import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: too many to guess, so they need no slow hash and no rate limit. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
