import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { type KeyRing, keyIdBytes } from './keys.js'

const version = 2
/** The first format, without a key id. */
const namelessVersion = 1
const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/**
 * Encrypts a text for the database: AES-256-GCM with the current key, as version byte, key id, nonce, ciphertext
 * and tag. `context` is authenticated, for example the id of the row: the value cannot be opened in another one.
 */
export function seal(ring: KeyRing, text: string, context: string): Buffer {
  const head = Buffer.concat([sealedPrefix(ring), randomBytes(nonceBytes)])
  const encryption = createCipheriv(cipher, ring.current.key, head.subarray(-nonceBytes))
  encryption.setAAD(Buffer.concat([head, Buffer.from(context)]))
  const body = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([head, body, encryption.getAuthTag()])
}

/** Prefix of all values sealed with the current key. */
export const sealedPrefix = ({ current }: KeyRing): Buffer =>
  Buffer.concat([Buffer.of(version), Buffer.from(current.id, 'base64url')])

/** Throws if the value was sealed with an unknown key, for another context, or is corrupt. */
export function unseal(ring: KeyRing, sealed: Buffer, context: string): string {
  const idBytes = sealed[0] === version ? keyIdBytes : 0
  const headBytes = 1 + idBytes + nonceBytes
  const isSealed = sealed[0] === version || sealed[0] === namelessVersion
  if (!isSealed || sealed.length < headBytes + tagBytes) {
    throw new Error('not a sealed value, or sealed by a newer version')
  }
  if (sealed[0] === version) {
    const id = sealed.subarray(1, 1 + keyIdBytes).toString('base64url')
    const sealer = ring.find(id)
    if (!sealer) throw new Error(`sealed with unknown key ${id}`)
    return open(sealer.key, sealed, headBytes, context)
  }
  for (const { key } of ring.all) {
    try {
      return open(key, sealed, headBytes, context)
    } catch {
      // Try the next key.
    }
  }
  throw new Error('sealed with an unknown key or for another context, or corrupt')
}

function open(key: KeyObject, sealed: Buffer, headBytes: number, context: string): string {
  const head = sealed.subarray(0, headBytes)
  const options = { authTagLength: tagBytes }
  const decryption = createDecipheriv(cipher, key, head.subarray(-nonceBytes), options)
  decryption.setAAD(Buffer.concat([head, Buffer.from(context)]))
  decryption.setAuthTag(sealed.subarray(-tagBytes))
  const body = sealed.subarray(headBytes, -tagBytes)
  return decryption.update(body, undefined, 'utf8') + decryption.final('utf8')
}
