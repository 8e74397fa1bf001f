import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** Lets people and secret scanners recognize a key. */
const prefix = 'figbase_'
const secretBytes = 32
const pattern = /^figbase_([A-Za-z0-9_-]{43})([0-9a-f]{8})$/

const checksumOf = (secret: string) => crc32(secret).toString(16).padStart(8, '0')

/** The prefix, a random secret, and its checksum. */
export function newToken(): string {
  const secret = randomBytes(secretBytes).toString('base64url')
  return `${prefix}${secret}${checksumOf(secret)}`
}

/** Checks format and checksum, which saves a lookup for mistyped tokens. */
export function isToken(text: string): boolean {
  const [, secret, checksum] = pattern.exec(text) ?? []
  return secret !== undefined && checksumOf(secret) === checksum
}
