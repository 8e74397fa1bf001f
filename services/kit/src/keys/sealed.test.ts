import assert from 'node:assert/strict'
import { createCipheriv, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keysFrom } from './keys.js'
import { seal, sealedPrefix, unseal } from './sealed.js'

const ring = keysFrom('secret').derive('storage')

test('opens a sealed value with its key and context', () => {
  for (const text of ['', 'a', 'wJalrXUtnFEMI/K7MDENG', 'ключ 🔑', 'x'.repeat(100_000)]) {
    assert.equal(unseal(ring, seal(ring, text, 'row 1'), 'row 1'), text)
  }
})

test('seals the same text differently each time', () => {
  const sealed = Array.from({ length: 100 }, () => seal(ring, 'secret text', 'a').toString('hex'))
  assert.equal(new Set(sealed).size, 100)
  assert.ok(!Buffer.from(sealed[0] ?? '', 'hex').includes('secret'))
})

test('does not open with another key or context, or after a changed byte', () => {
  const sealed = seal(ring, 'secret', 'row 1')
  const fails = (open: () => string) => assert.throws(open, Error)
  fails(() => unseal(keysFrom('other').derive('storage'), sealed, 'row 1'))
  fails(() => unseal(keysFrom('secret').derive('other'), sealed, 'row 1'))
  fails(() => unseal(ring, sealed, 'row 2'))
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    fails(() => unseal(ring, changed, 'row 1'))
    fails(() => unseal(ring, sealed.subarray(0, at), 'row 1'))
  }
  fails(() => unseal(ring, Buffer.concat([sealed, Buffer.of(0)]), 'row 1'))
})

test('names the sealing key, and opens while that key is in the ring', () => {
  const sealed = seal(ring, 'secret', 'a')
  assert.deepEqual(sealed.subarray(0, 9), sealedPrefix(ring))
  const rotated = keysFrom('newer', ['older', 'secret']).derive('storage')
  assert.equal(unseal(rotated, sealed, 'a'), 'secret')
  const anew = seal(rotated, 'secret', 'a')
  assert.deepEqual(anew.subarray(0, 9), sealedPrefix(rotated))
  assert.notDeepEqual(sealedPrefix(rotated), sealedPrefix(ring))
  assert.equal(unseal(keysFrom('newer').derive('storage'), anew, 'a'), 'secret')
  assert.throws(() => unseal(ring, anew, 'a'), /sealed with unknown key/)
  assert.throws(() => unseal(keysFrom('newer').derive('storage'), sealed, 'a'), /unknown key/)
})

test('opens values of the first version, without key id, with any key of the ring', () => {
  const nameless = (context: string) => {
    const head = Buffer.concat([Buffer.of(1), randomBytes(12)])
    const encryption = createCipheriv('aes-256-gcm', ring.current.key, head.subarray(1))
    encryption.setAAD(Buffer.concat([head, Buffer.from(context)]))
    const body = Buffer.concat([encryption.update('secret', 'utf8'), encryption.final()])
    return Buffer.concat([head, body, encryption.getAuthTag()])
  }
  const sealed = nameless('a')
  const rotated = keysFrom('newer', ['older', 'secret']).derive('storage')
  for (const keys of [ring, rotated]) assert.equal(unseal(keys, sealed, 'a'), 'secret')
  const changed = Buffer.from(sealed)
  changed[20] = (changed[20] ?? 0) ^ 1
  for (const bad of [changed, nameless('b'), sealed.subarray(0, 28)]) {
    assert.throws(() => unseal(rotated, bad, 'a'), Error)
  }
  assert.throws(() => unseal(keysFrom('newer').derive('storage'), sealed, 'a'), Error)
})
