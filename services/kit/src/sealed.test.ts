import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keysFrom } from './keys.js'
import { seal, unseal } from './sealed.js'

const key = keysFrom('secret').derive('storage')

test('what was sealed opens with its key, in its context', () => {
  for (const text of ['', 'a', 'wJalrXUtnFEMI/K7MDENG', 'ключ 🔑', 'x'.repeat(100_000)]) {
    assert.equal(unseal(key, seal(key, text, 'row 1'), 'row 1'), text)
  }
})

test('the same text is never sealed the same way, nor can it be read', () => {
  const sealed = Array.from({ length: 100 }, () => seal(key, 'secret text', 'a').toString('hex'))
  assert.equal(new Set(sealed).size, 100)
  assert.ok(!Buffer.from(sealed[0] ?? '', 'hex').includes('secret'))
})

test('it opens with no other key, in no other context, and not after a change of any byte', () => {
  const sealed = seal(key, 'secret', 'row 1')
  const fails = (open: () => string) => assert.throws(open, Error)
  fails(() => unseal(keysFrom('other').derive('storage'), sealed, 'row 1'))
  fails(() => unseal(keysFrom('secret').derive('other'), sealed, 'row 1'))
  fails(() => unseal(key, sealed, 'row 2'))
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed)
    changed[at] = (changed[at] ?? 0) ^ 1
    fails(() => unseal(key, changed, 'row 1'))
    fails(() => unseal(key, sealed.subarray(0, at), 'row 1'))
  }
  fails(() => unseal(key, Buffer.concat([sealed, Buffer.of(0)]), 'row 1'))
})
