import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { KeyProblem, readKey } from '../src/ssh/read-key.js'
import {
  envelope,
  type GeneratedKey,
  generateKey,
  type KeyOptions,
  keyAs,
  openSshText,
  publicKeyOf,
  withoutSshKeygen,
} from './support/generated-keys.js'

const roundsMax = 64
const secret = 'sésame, ouvre-toi'

const kinds: KeyOptions[] = [
  { type: 'rsa', bits: 2048 },
  { type: 'rsa', bits: 3072 },
  { type: 'ecdsa', bits: 256 },
  { type: 'ecdsa', bits: 384 },
  { type: 'ecdsa', bits: 521 },
  { type: 'ed25519' },
]
const formats = ['RFC4716', 'PEM', 'PKCS8'] as const

for (const kind of kinds) {
  const { type, bits = '' } = kind
  let plain: GeneratedKey | undefined
  for (const format of formats) {
    test(`reads ${type} ${bits} in the format ${format}, encrypted and not`, {
      skip: withoutSshKeygen,
    }, () => {
      plain ??= generateKey(kind)
      for (const passphrase of ['', secret]) {
        const made = keyAs(plain, { format, passphrase, more: ['-a', '2'] })
        const read = readKey({ privateKey: made.privateKey, passphrase }, roundsMax)
        assert.equal(read.fingerprint, made.fingerprint)
        assert.equal(read.publicKey, made.publicKey)
        assert.equal(publicKeyOf(read.privateKey), made.publicKey)
        const again = readKey({ privateKey: read.privateKey, passphrase: '' }, roundsMax)
        assert.equal(again.fingerprint, made.fingerprint)
      }
    })
  }
}

const pemOf = (key: ReturnType<typeof generateKeyPairSync>['privateKey'], format = {}) =>
  String(key.export({ type: 'pkcs8', format: 'pem', ...format }))

test('reads keys written by OpenSSL', {
  skip: withoutSshKeygen,
}, () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  const encrypted = { cipher: 'aes-256-cbc', passphrase: secret }
  for (const [text, passphrase] of [
    [pemOf(privateKey), ''],
    [pemOf(privateKey), 'not needed'],
    [pemOf(privateKey, encrypted), secret],
    [`\n \n${pemOf(privateKey).replaceAll('\n', '\r\n')}\r\n`, ''],
    [`Bag Attributes\n  friendlyName: mine\n${pemOf(privateKey)}`, ''],
  ] as const) {
    const read = readKey({ privateKey: text, passphrase }, roundsMax)
    assert.equal(publicKeyOf(read.privateKey), read.publicKey)
  }
})

function problemOf(privateKey: string, passphrase = ''): string {
  try {
    readKey({ privateKey, passphrase }, roundsMax)
  } catch (error) {
    assert.ok(error instanceof KeyProblem, String(error))
    return error.message
  }
  throw new Error('the key was accepted')
}

test('reports a wrong or missing passphrase', { skip: withoutSshKeygen }, () => {
  for (const format of formats) {
    const { privateKey } = generateKey({
      type: 'ecdsa',
      format,
      passphrase: secret,
      more: ['-a', '1'],
    })
    assert.match(problemOf(privateKey), /^passphrase: is required/)
    // One of 256 wrong passphrases yields valid padding.
    for (const wrong of ['x', 'Sésame, ouvre-toi', `${secret} `, 'x'.repeat(1024)]) {
      assert.match(problemOf(privateKey, wrong), /^passphrase: is wrong/)
    }
  }
})

test('reports unsupported types and sizes', { skip: withoutSshKeygen }, () => {
  const { privateKey: dsa } = generateKeyPairSync('dsa', {
    modulusLength: 2048,
    divisorLength: 256,
  })
  const { privateKey: pss } = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })
  const { privateKey: secp } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' })
  const { privateKey: short } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  for (const [text, problem] of [
    [pemOf(dsa), /type dsa; supported types: rsa, ecdsa/],
    ['-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----', /type dsa/],
    [pemOf(pss), /type rsa-pss/],
    [pemOf(secp), /type ecdsa secp256k1/],
    [pemOf(generateKeyPairSync('ed448').privateKey), /type ed448/],
    [pemOf(generateKeyPairSync('x25519').privateKey), /type x25519/],
    [pemOf(short), /1024 bits; it must have 2048/],
    [generateKey({ type: 'rsa', bits: 1024 }).privateKey, /1024 bits; it must have 2048/],
    [envelope({ type: 'ssh-dss' }), /type ssh-dss/],
    [envelope({ type: 'sk-ssh-ed25519@openssh.com' }), /type sk-ssh-ed25519@openssh\.com/],
    [envelope({ type: 'sk-ecdsa-sha2-nistp256@openssh.com' }), /type sk-ecdsa/],
    [envelope({ type: 'a\n\x1b[31m' }), /type a\?\?\[31m;/],
    [envelope({ type: '' }), /type \?;/],
  ] as const) {
    const found = problemOf(text)
    assert.match(found, /^private_key: /)
    assert.match(found, problem)
  }
})

test('rejects malformed private keys', { skip: withoutSshKeygen }, () => {
  const { privateKey: text, publicKey } = generateKey()
  const { publicKey: rsa } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const lines = text.trim().split('\n')
  const bytes = Buffer.from(lines.slice(1, -1).join(''), 'base64')
  for (const bad of [
    ...[publicKey, `  ${publicKey} me`, String(rsa.export({ type: 'spki', format: 'pem' }))],
    ...[
      '',
      ' ',
      'x',
      '-----BEGIN PRIVATE KEY-----',
      lines.slice(0, 3).join('\n'),
      '-'.repeat(65536),
    ],
    '-----BEGIN OPENSSH PRIVATE KEY-----\n'.repeat(1800),
    '-----BEGIN OPENSSH PRIVATE KEY-----\n\n-----END OPENSSH PRIVATE KEY-----',
    '-----BEGIN PRIVATE KEY-----\n!!!!\n-----END PRIVATE KEY-----',
    '-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----',
    'PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n',
    ...[envelope(), envelope({ keys: 0 }), envelope({ keys: 2 }), envelope({ keys: 2 ** 32 - 1 })],
    ...[envelope({ kdf: 'bcrypt' }), envelope({ kdf: 'other', cipher: 'aes256-ctr' })],
    envelope({ cipher: 'aes256-gcm@openssh.com', kdf: 'bcrypt' }),
    ...Array.from({ length: bytes.length }, (_, n) => openSshText(bytes.subarray(0, n))),
  ]) {
    assert.match(problemOf(bad), /^private_key: /)
  }
  assert.match(problemOf(publicKey), /is a public key/)
})

test('rejects a key with any flipped bit, unless the result is a valid key', {
  skip: withoutSshKeygen,
}, () => {
  const { privateKey } = generateKey({ type: 'ecdsa', bits: 256 })
  const bytes = Buffer.from(privateKey.trim().split('\n').slice(1, -1).join(''), 'base64')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
    try {
      const read = readKey({ privateKey: openSshText(changed), passphrase: '' }, roundsMax)
      assert.equal(publicKeyOf(read.privateKey), read.publicKey)
    } catch (error) {
      assert.ok(error instanceof KeyProblem, `byte ${at}: ${error}`)
    }
  }
})

test('limits the rounds of bcrypt', () => {
  for (const rounds of [roundsMax + 1, 2 ** 31, 2 ** 32 - 1]) {
    const began = performance.now()
    const found = problemOf(envelope({ cipher: 'aes256-ctr', kdf: 'bcrypt', rounds }), 'x')
    assert.match(found, new RegExp(`^private_key: has ${rounds} bcrypt rounds`))
    assert.ok(performance.now() - began < 1000)
  }
  assert.match(
    problemOf(envelope({ cipher: 'aes256-ctr', kdf: 'bcrypt', rounds: 0 }), 'x'),
    /^passphrase: /,
  )
})
