import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** So that people and scanners of secrets know one when they see it. */
const prefix = 'figbase_'
const secretBytes = 32
const pattern = /^figbase_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/

const checksumOf = (secret: string) => crc32(secret).toString(16).padStart(8, '0')

/** The prefix, a random secret, and its checksum. */
export function newToken(): string {
  const secret = randomBytes(secretBytes).toString('base64url')
  return `${prefix}${secret}${checksumOf(secret)}`
}

/** Whether this may be a token: a mistyped one need not be looked for. */
export function isToken(text: string): boolean {
  const [, secret, checksum] = pattern.exec(text) ?? []
  return secret !== undefined && checksumOf(secret) === checksum
}
