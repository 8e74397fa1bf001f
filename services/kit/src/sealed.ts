import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto'
import { type KeyRing, keyIdBytes } from './keys.js'

const version = 2
/** The first one, which did not say with which key. */
const namelessVersion = 1
const nonceBytes = 12
const tagBytes = 16
const cipher = 'aes-256-gcm'

/**
 * Encrypts a text for the database: AES-256-GCM under the current key, as a version byte, the key's id, a nonce,
 * the ciphertext and its tag. `context` names what it belongs to, for example the id of its row: sealed for one,
 * it cannot be opened as another's.
 */
export function seal(ring: KeyRing, text: string, context: string): Buffer {
  const head = Buffer.concat([sealedBegin(ring), randomBytes(nonceBytes)])
  const encryption = createCipheriv(cipher, ring.current.key, head.subarray(-nonceBytes))
  encryption.setAAD(Buffer.concat([head, Buffer.from(context)]))
  const body = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([head, body, encryption.getAuthTag()])
}

/** How all begins that is sealed with the current key. */
export const sealedBegin = ({ current }: KeyRing): Buffer =>
  Buffer.concat([Buffer.of(version), Buffer.from(current.id, 'base64url')])

/** Throws when it was sealed with a key that is not in the ring or for another context, or was changed. */
export function unseal(ring: KeyRing, sealed: Buffer, context: string): string {
  const idBytes = sealed[0] === version ? keyIdBytes : 0
  const headBytes = 1 + idBytes + nonceBytes
  const isSealed = sealed[0] === version || sealed[0] === namelessVersion
  if (!isSealed || sealed.length < headBytes + tagBytes) {
    throw new Error('this is not sealed, or by a newer version')
  }
  if (sealed[0] === version) {
    const id = sealed.subarray(1, 1 + keyIdBytes).toString('base64url')
    const sealer = ring.find(id)
    if (!sealer) throw new Error(`this is sealed with a key that is not here: ${id}`)
    return open(sealer.key, sealed, headBytes, context)
  }
  for (const { key } of ring.all) {
    try {
      return open(key, sealed, headBytes, context)
    } catch {
      // Another key may have sealed it.
    }
  }
  throw new Error('this is sealed with a key that is not here, for another context, or changed')
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
