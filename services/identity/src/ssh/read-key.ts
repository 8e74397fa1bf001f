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
  /** In the OpenSSH format, not encrypted. */
  privateKey: string
  /** A line as in `authorized_keys`, without a comment. */
  publicKey: string
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string
}

/** What is wrong with a key, or with the passphrase, for whoever sent it. */
export class KeyProblem extends Error {
  override name = 'KeyProblem'

  constructor(
    readonly field: 'private_key' | 'passphrase',
    readonly reason: string,
  ) {
    super(`${field}: ${reason}`)
  }
}

/** Git servers refuse shorter ones, OpenSSL longer ones. */
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
/** What sshpk decrypts; others are for `ssh-keygen -Z` only. */
const ciphers = ['aes128', 'aes192', 'aes256'].flatMap((name) => [`${name}-ctr`, `${name}-cbc`])

const block = /-----BEGIN ([A-Z0-9 ]{0,40}PRIVATE KEY)-----[\s\S]*?-----END \1-----/
const aPublicKey = /-----BEGIN [A-Z0-9 ]*PUBLIC KEY|^(ssh-|ecdsa-|sk-)[a-z0-9@.-]+ AAAA/

/**
 * Reads a private key of any format that ssh-keygen and OpenSSL write, and checks that it works. Throws a
 * KeyProblem. It may take long: bcrypt and PBKDF2 are run as often as the key says.
 */
export function readKey(
  { privateKey: text, passphrase }: KeyText,
  bcryptRoundsMax: number,
): ReadKey {
  const [pem, label] = block.exec(text.replaceAll('\r', '')) ?? []
  if (!pem || !label) {
    const isPublic = aPublicKey.test(text.trimStart())
    throw new KeyProblem('private_key', isPublic ? 'is a public key' : `is not ${formats}`)
  }
  const key =
    label === 'OPENSSH PRIVATE KEY'
      ? fromOpenSsh(pem, passphrase, bcryptRoundsMax)
      : fromPem(pem, label, passphrase)
  refuseUnsupported(key)
  const [privateKey, publicKey] = inOpenSsh(key)
  refuseUseless(key, publicKey)
  return { privateKey, publicKey: publicKey.toString('ssh'), fingerprint: fingerprintOf(publicKey) }
}

/** By sshpk: Node does not know the format. */
function fromOpenSsh(pem: string, passphrase: string, bcryptRoundsMax: number): KeyObject {
  const base64 = pem.split('\n').slice(1, -1).join('')
  const envelope = readEnvelope(Buffer.from(base64, 'base64'))
  if (!envelope) throw new KeyProblem('private_key', 'is damaged')
  const { type, keys, cipher, rounds } = envelope
  if (!opensshTypes.includes(type)) throw unsupported(type)
  if (keys !== 1) throw new KeyProblem('private_key', 'must be one key')
  const isEncrypted = cipher !== 'none'
  if (isEncrypted && !ciphers.includes(cipher)) {
    throw new KeyProblem('private_key', `is encrypted with ${printable(cipher)}; use aes256-ctr`)
  }
  if (isEncrypted && !passphrase) throw passphraseMissing()
  if (rounds > bcryptRoundsMax) {
    const reason = `has ${rounds} rounds of bcrypt, and at most ${bcryptRoundsMax} are run here`
    throw new KeyProblem('private_key', reason)
  }
  return opened(isEncrypted, () => {
    const key = sshpk.parsePrivateKey(pem, 'openssh', { passphrase: passphrase || undefined })
    return createPrivateKey(
      key.type === 'rsa' ? key.toString('pkcs8') : { key: jwkOf(key), format: 'jwk' },
    )
  })
}

/** What sshpk writes of ed25519 as PKCS#8 OpenSSL refuses, and on a point off its curve Node aborts. */
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

/** A number of so many bytes, which may come with a zero too many or too few. */
const padded = (number: Buffer, bytes: number) =>
  Buffer.concat([Buffer.alloc(bytes), number]).subarray(-bytes)

/** By OpenSSL, which knows more ways to encrypt than sshpk, and is faster. */
function fromPem(pem: string, label: string, passphrase: string): KeyObject {
  if (label === 'DSA PRIVATE KEY') throw unsupported('dsa')
  const isEncrypted = label === 'ENCRYPTED PRIVATE KEY' || pem.includes('\nProc-Type: 4,ENCRYPTED')
  if (isEncrypted && !passphrase) throw passphraseMissing()
  return opened(isEncrypted, () => createPrivateKey({ key: pem, passphrase }))
}

/** Under a wrong passphrase a key looks like a damaged one. */
function opened(isEncrypted: boolean, open: () => KeyObject): KeyObject {
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
    const reason = `is an rsa key of ${bits} bits; it must have ${rsaBitsMin} to ${rsaBitsMax}`
    throw new KeyProblem('private_key', reason)
  }
  if (type === 'ec' && !curves.includes(namedCurve)) throw unsupported(`ecdsa ${namedCurve}`)
  if (!['rsa', 'ec', 'ed25519'].includes(type)) throw unsupported(type)
}

/** The one form in which keys are kept. */
function inOpenSsh(key: KeyObject): [text: string, publicKey: sshpk.Key] {
  const pkcs8 = key.export({ type: 'pkcs8', format: 'pem' })
  const parsed = sshpk.parsePrivateKey(pkcs8, 'pkcs8')
  parsed.comment = ''
  const publicKey = parsed.toPublic()
  publicKey.comment = ''
  return [parsed.toString('openssh'), publicKey]
}

/** A key whose parts do not belong together is parsed all the same, and signs what nobody accepts. */
function refuseUseless(key: KeyObject, publicKey: sshpk.Key): void {
  const data = Buffer.from('figbase')
  const digest = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const isGood = () => {
    try {
      const signature = sign(digest, data, key)
      return verify(digest, data, createPublicKey(publicKey.toString('pkcs8')), signature)
    } catch {
      return false
    }
  }
  if (!isGood()) throw new KeyProblem('private_key', 'is damaged: what it signs cannot be verified')
}

function fingerprintOf(publicKey: sshpk.Key): string {
  const digest = createHash('sha256').update(publicKey.toBuffer('rfc4253')).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

const passphraseMissing = () => new KeyProblem('passphrase', 'is required: the key is encrypted')

const unsupported = (type: string) =>
  new KeyProblem('private_key', `is of the type ${printable(type)}; supported are ${types}`)

/** A name out of somebody's key, for a message. */
const printable = (name: string) =>
  name
    .replace(/[^\x21-\x7e ]/g, '?')
    .slice(0, 60)
    .trim() || '?'
