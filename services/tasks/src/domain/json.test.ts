import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedJson } from './json.js'

test('the JSON of a report is kept as it came, up to the bytes that are allowed', () => {
  assert.equal(checkedJson('result', undefined, 10), null)
  assert.equal(checkedJson('result', '{ "a": 1 }', 10), '{ "a": 1 }')
  assert.equal(checkedJson('result', '"ééé"', 8), '"ééé"')
})

test('what is too long, counted in bytes, and what is no JSON is refused', () => {
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
