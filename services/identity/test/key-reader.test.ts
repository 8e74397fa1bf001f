import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { createKeyReader } from '../src/ssh/key-reader.js'
import { envelope, pkcs8Asking } from './made-keys.js'
import { failureOf } from './started.js'

const never = new AbortController().signal
const passphrase = 'x'
const fine = () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), passphrase: '' }
}
/** OpenSSL is busy with it for an hour, without looking up. */
const endless = { privateKey: pkcs8Asking(2 ** 31 - 1), passphrase }

test('a key that takes too long is refused in time, whoever computes', async () => {
  await using reader = createKeyReader({ bcryptRoundsMax: 4e9, readTimeoutMs: 2000 })
  const privateKey = envelope({ cipher: 'aes256-ctr', kdf: 'bcrypt', rounds: 3_999_999_999 })
  for (const text of [endless, { privateKey, passphrase }]) {
    const { error, fields } = await failureOf(reader.read('ann', text, never))
    assert.deepEqual([error, fields], ['invalid_request', ['private_key']])
  }
  assert.match((await reader.read('ann', fine(), never)).fingerprint, /^SHA256:/)
})

test('nobody waits for more than one slow key of another, who may have so many', async () => {
  await using reader = createKeyReader({ bcryptRoundsMax: 16, readTimeoutMs: 2000 })
  const leaving = new AbortController()
  const ended: string[] = []
  const slow = Array.from({ length: 60 }, async () => {
    const { error } = await failureOf(reader.read('bob', endless, leaving.signal)).catch(() => ({
      error: 'gone',
    }))
    ended.push(error ?? '')
  })
  await reader.read('ann', fine(), never)
  const refused = ended.filter((error) => error === 'too_busy').length
  assert.equal(refused, 9, 'one is read, 50 wait')
  assert.ok(ended.length - refused <= 1)
  leaving.abort()
  await Promise.all(slow)
  await reader.read('bob', fine(), never)
})
