import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson } from './to-json.js'

test('half of a surrogate pair is replaced, a whole one is not', () => {
  const value = [{ word: 'a\ud83d', texts: ['\ude00b', '\u{1f600}'], count: 1 }, null]
  const expected = [{ word: 'a\ufffd', texts: ['\ufffdb', '\u{1f600}'], count: 1 }, null]
  assert.deepEqual(JSON.parse(toJson(value)), expected)
})
