import { createHash, randomBytes } from 'node:crypto'

/** 256 random bits: they need no slow hash. */
export const newMailToken = (): string => randomBytes(32).toString('base64url')

export const hashOfMailToken = (token: string): Buffer =>
  createHash('sha256').update(token).digest()
