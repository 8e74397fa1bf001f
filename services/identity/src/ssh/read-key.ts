import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import sshpk from 'sshpk'
import { readEnvelope } from './openssh-envelope.js'

export type KeyText = { privateKey: string; passphrase: string }

export type ReadKey = {
  /** OpenSSH format, not encrypted. */
  privateKey: string
  /** An `authorized_keys` line without a comment. */
  publicKey: string
  /** As printed by `ssh-keygen -l`. */
  fingerprint: string
}

/** Why a key or its passphrase is rejected, for the client. */
export class KeyProblem extends Error {
  override name = 'KeyProblem'

  constructor(
    readonly field: 'private_key' | 'passphrase',
    readonly reason: string,
  ) {
    super(`${field}: ${reason}`)
  }
}

/** Git servers reject shorter keys, OpenSSL longer ones. */
const rsaBitsMin = 2048
const rsaBitsMax = 16_384

const formats = 'a private key in the OpenSSH or PEM format'
const types = 'rsa, ecdsa (nistp256, nistp384, nistp521) and ed25519'
const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const opensshTypes = [
  'ssh-rsa',
  'ssh-ed25519',
  ...['nistp256', 'nistp384', 'nistp521'].map((curve) => `ecdsa-sha2-${curve}`),
]
/** Ciphers that sshpk can decrypt; others need `ssh-keygen -Z`. */
const ciphers = ['aes128', 'aes192', 'aes256'].flatMap((name) => [`${name}-ctr`, `${name}-cbc`])

const privateKeyPattern = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----[\s\S]*?-----END \1-----/
const publicKeyPattern = /-----BEGIN [A-Z0-9 ]*PUBLIC KEY|^(ssh-|ecdsa-|sk-)[a-z0-9@.-]+ AAAA/

/**
 * Reads a private key in any format that ssh-keygen and OpenSSL write, and checks that it can sign. Throws a
 * KeyProblem. May be slow: the key determines the rounds of bcrypt and PBKDF2.
 */
export function readKey(
  { privateKey: text, passphrase }: KeyText,
  bcryptRoundsMax: number,
): ReadKey {
  const [pem, label] = privateKeyPattern.exec(text.replaceAll('\r', '')) ?? []
  if (!pem || !label) {
    const isPublic = publicKeyPattern.test(text.trimStart())
    throw new KeyProblem('private_key', isPublic ? 'is a public key' : `is not ${formats}`)
  }
  const key =
    label === 'OPENSSH PRIVATE KEY'
      ? fromOpenSsh(pem, passphrase, bcryptRoundsMax)
      : fromPem(pem, label, passphrase)
  refuseUnsupported(key)
  const [privateKey, publicKey] = toOpenSsh(key)
  checkSigns(key, publicKey)
  return { privateKey, publicKey: publicKey.toString('ssh'), fingerprint: fingerprintOf(publicKey) }
}

/** Uses sshpk: Node does not support the format. */
function fromOpenSsh(pem: string, passphrase: string, bcryptRoundsMax: number): KeyObject {
  const base64 = pem.split('\n').slice(1, -1).join('')
  const envelope = readEnvelope(Buffer.from(base64, 'base64'))
  if (!envelope) throw new KeyProblem('private_key', 'is damaged')
  const { type, keys, cipher, rounds } = envelope
  if (!opensshTypes.includes(type)) throw unsupported(type)
  if (keys !== 1) throw new KeyProblem('private_key', 'must contain exactly one key')
  const isEncrypted = cipher !== 'none'
  if (isEncrypted && !ciphers.includes(cipher)) {
    throw new KeyProblem('private_key', `is encrypted with ${printable(cipher)}; use aes256-ctr`)
  }
  if (isEncrypted && !passphrase) throw passphraseMissing()
  if (rounds > bcryptRoundsMax) {
    const reason = `has ${rounds} bcrypt rounds; the maximum is ${bcryptRoundsMax}`
    throw new KeyProblem('private_key', reason)
  }
  return decrypt(isEncrypted, () => {
    const key = sshpk.parsePrivateKey(pem, 'openssh', { passphrase: passphrase || undefined })
    return createPrivateKey(
      key.type === 'rsa' ? key.toString('pkcs8') : { key: jwkOf(key), format: 'jwk' },
    )
  })
}

/** OpenSSL rejects the PKCS#8 that sshpk writes for ed25519, and Node aborts on a point that is not on its curve. */
function jwkOf({ type, curve = '', parts }: sshpk.PrivateKey): JsonWebKey {
  const part = (name: string) => parts.find((one) => one.name === name)?.data ?? Buffer.alloc(0)
  if (type === 'ed25519') {
    return { kty: 'OKP', crv: 'Ed25519', d: base64url(part('k')), x: base64url(part('A')) }
  }
  const [format, ...point] = part('Q')
  if (format !== uncompressed) throw new Error('the point is compressed')
  const coordinateBytes = point.length / 2
  return {
    kty: 'EC',
    crv: curve.replace('nistp', 'P-'),
    x: base64url(Buffer.from(point.slice(0, coordinateBytes))),
    y: base64url(Buffer.from(point.slice(coordinateBytes))),
    d: base64url(padded(part('d'), coordinateBytes)),
  }
}

const uncompressed = 4
const base64url = (bytes: Buffer) => bytes.toString('base64url')

/** The number in exactly `bytes` bytes; the input may have extra or missing leading zeros. */
const padded = (number: Buffer, bytes: number) =>
  Buffer.concat([Buffer.alloc(bytes), number]).subarray(-bytes)

/** Uses OpenSSL, which supports more ciphers than sshpk and is faster. */
function fromPem(pem: string, label: string, passphrase: string): KeyObject {
  if (label === 'DSA PRIVATE KEY') throw unsupported('dsa')
  const isEncrypted = label === 'ENCRYPTED PRIVATE KEY' || pem.includes('\nProc-Type: 4,ENCRYPTED')
  if (isEncrypted && !passphrase) throw passphraseMissing()
  return decrypt(isEncrypted, () => createPrivateKey({ key: pem, passphrase }))
}

/** A wrong passphrase cannot be told from a damaged key. */
function decrypt(isEncrypted: boolean, open: () => KeyObject): KeyObject {
  try {
    return open()
  } catch {
    throw isEncrypted
      ? new KeyProblem('passphrase', 'is wrong, or the key is damaged')
      : new KeyProblem('private_key', `is damaged, or is not ${formats}`)
  }
}

function refuseUnsupported(key: KeyObject): void {
  const { asymmetricKeyType: type = '', asymmetricKeyDetails: details = {} } = key
  const { modulusLength: bits = 0, namedCurve = '' } = details
  if (type === 'rsa' && (bits < rsaBitsMin || bits > rsaBitsMax)) {
    const reason = `is an RSA key of ${bits} bits; it must have ${rsaBitsMin} to ${rsaBitsMax}`
    throw new KeyProblem('private_key', reason)
  }
  if (type === 'ec' && !curves.includes(namedCurve)) throw unsupported(`ecdsa ${namedCurve}`)
  if (!['rsa', 'ec', 'ed25519'].includes(type)) throw unsupported(type)
}

/** The format in which keys are stored. */
function toOpenSsh(key: KeyObject): [text: string, publicKey: sshpk.Key] {
  const pkcs8 = key.export({ type: 'pkcs8', format: 'pem' })
  const parsed = sshpk.parsePrivateKey(pkcs8, 'pkcs8')
  parsed.comment = ''
  const publicKey = parsed.toPublic()
  publicKey.comment = ''
  return [parsed.toString('openssh'), publicKey]
}

/** A key with inconsistent parts can be parsed, but its signatures are invalid. */
function checkSigns(key: KeyObject, publicKey: sshpk.Key): void {
  const data = Buffer.from('figbase')
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const canSign = () => {
    try {
      const signature = sign(digest, data, key)
      return verify(digest, data, createPublicKey(publicKey.toString('pkcs8')), signature)
    } catch {
      return false
    }
  }
  if (!canSign())
    throw new KeyProblem('private_key', 'is damaged: its signatures cannot be verified')
}

function fingerprintOf(publicKey: sshpk.Key): string {
  const digest = createHash('sha256').update(publicKey.toBuffer('rfc4253')).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

const passphraseMissing = () => new KeyProblem('passphrase', 'is required: the key is encrypted')

const unsupported = (type: string) =>
  new KeyProblem(
    'private_key',
    `has the unsupported type ${printable(type)}; supported types: ${types}`,
  )

/** A name from the key, safe to print in a message. */
const printable = (name: string) =>
  name
    .replace(/[^\x21-\x7e ]/g, '?')
    .slice(0, 60)
    .trim() || '?'
