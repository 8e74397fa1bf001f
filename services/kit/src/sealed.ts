import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'

const version = 1
const nonceBytes = 12
const tagBytes = 16
const headBytes = 1 + nonceBytes
const cipher = 'aes-256-gcm'

/**
 * Encrypts a text for the database: AES-256-GCM under a key of 32 bytes (`keys.derive`), as a version byte, a
 * nonce, the ciphertext and its tag. `context` names what it belongs to, for example the id of its row: sealed
 * for one, it cannot be opened as another's.
 */
export function seal(key: KeyObject, text: string, context: string): Buffer {
  const head = Buffer.concat([Buffer.of(version), randomBytes(nonceBytes)])
  const encryption = createCipheriv(cipher, key, head.subarray(1))
  encryption.setAAD(Buffer.concat([head, Buffer.from(context)]))
  const body = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([head, body, encryption.getAuthTag()])
}

/** Throws when it was sealed with another key or for another context, or was changed. */
export function unseal(key: KeyObject, sealed: Buffer, context: string): string {
  const head = sealed.subarray(0, headBytes)
  if (head[0] !== version || sealed.length < headBytes + tagBytes) {
    throw new Error('this is not sealed, or by a newer version')
  }
  const decryption = createDecipheriv(cipher, key, head.subarray(1), { authTagLength: tagBytes })
  decryption.setAAD(Buffer.concat([head, Buffer.from(context)]))
  decryption.setAuthTag(sealed.subarray(-tagBytes))
  const body = sealed.subarray(headBytes, -tagBytes)
  return decryption.update(body, undefined, 'utf8') + decryption.final('utf8')
}
