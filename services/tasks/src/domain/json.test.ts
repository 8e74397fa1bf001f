import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedJson } from './json.js'

test('returns the JSON unchanged up to the maximum size', () => {
  assert.equal(checkedJson('result', undefined, 10), null)
  assert.equal(checkedJson('result', '{ "a": 1 }', 10), '{ "a": 1 }')
  assert.equal(checkedJson('result', '"ééé"', 8), '"ééé"')
})

test('rejects oversized and malformed JSON', () => {
  const refused: [text: string, reason: string][] = [
    ['"ééééa"', 'must have at most 10 bytes'],
    ['{"a": 1', 'is not JSON'],
    ['', 'is not JSON'],
  ]
  for (const [text, reason] of refused) {
    const message = `[invalid_argument] result: ${reason}`
    assert.throws(() => checkedJson('result', text, 10), { message })
  }
})
