import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: no slow hash and no rate limit are needed. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256; only this is stored of a token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
