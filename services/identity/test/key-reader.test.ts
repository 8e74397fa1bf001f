import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { createKeyReader } from '../src/ssh/key-reader.js'
import { envelope, pkcs8WithRounds } from './support/generated-keys.js'
import { failureOf } from './support/started.js'

const never = new AbortController().signal
const passphrase = 'x'
const newKey = () => {
  const { privateKey } = generateKeyPairSync('ed25519')
  return { privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })), passphrase: '' }
}
/** Keeps OpenSSL busy for an hour without interruption. */
const endless = { privateKey: pkcs8WithRounds(2 ** 31 - 1), passphrase }

test('rejects a key after the timeout, with OpenSSL and bcrypt', async () => {
  await using reader = createKeyReader({ bcryptRoundsMax: 4e9, readTimeoutMs: 2000 })
  const privateKey = envelope({ cipher: 'aes256-ctr', kdf: 'bcrypt', rounds: 3_999_999_999 })
  for (const text of [endless, { privateKey, passphrase }]) {
    const { error, fields } = await failureOf(reader.read('ann', text, never))
    assert.deepEqual([error, fields], ['invalid_request', ['private_key']])
  }
  assert.match((await reader.read('ann', newKey(), never)).fingerprint, /^SHA256:/)
})

test('slow keys of one owner delay others by one key at most, and their queue is limited', async () => {
  await using reader = createKeyReader({ bcryptRoundsMax: 16, readTimeoutMs: 2000 })
  const cancelled = new AbortController()
  const ended: string[] = []
  const slow = Array.from({ length: 60 }, async () => {
    const { error } = await failureOf(reader.read('bob', endless, cancelled.signal)).catch(() => ({
      error: 'cancelled',
    }))
    ended.push(error ?? '')
  })
  await reader.read('ann', newKey(), never)
  const refused = ended.filter((error) => error === 'too_busy').length
  assert.equal(refused, 9, 'one is read, 50 are queued')
  assert.ok(ended.length - refused <= 1)
  cancelled.abort()
  await Promise.all(slow)
  await reader.read('bob', newKey(), never)
})
