import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canonicalPayload } from './payload.js'

test('sorts members by name', () => {
  const text = '{"description":null,"name":"ä","size_bytes":"9007199254740993"}'
  const size_bytes = 9_007_199_254_740_993n
  assert.equal(canonicalPayload({ name: 'ä', size_bytes, description: null }), text)
  assert.equal(canonicalPayload({ description: null, name: 'ä', size_bytes }), text)
  assert.equal(canonicalPayload({ name: undefined }), '{}')
})

test('replaces long texts by length and digest', () => {
  const one = canonicalPayload({ description: 'x'.repeat(100_000) })
  const other = canonicalPayload({ description: `${'x'.repeat(99_999)}y` })
  assert.ok(one.length < 200)
  assert.match(one, /^\{"description":\{"chars":100000,"sha256":"[0-9a-f]{64}"\}\}$/)
  assert.notEqual(one, other)
  assert.match(canonicalPayload({ logo: Buffer.alloc(70) }), /"bytes":70/)
})

test('keeps a text of up to 500 characters', () => {
  const description = 'x'.repeat(500)
  assert.equal(canonicalPayload({ description }), JSON.stringify({ description }))
  assert.match(canonicalPayload({ description: `${description}x` }), /"chars":501/)
})
