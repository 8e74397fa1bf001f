import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeeperThan } from './depth.js'

test('depth counts arrays and objects that lie in each other', () => {
  for (const [text, depth] of [
    ['1', 0],
    ['"[[["', 0],
    ['[]', 1],
    ['{"a": 1, "b": 2}', 1],
    ['{"a": [], "b": {"c": [null]}}', 3],
  ] as const) {
    const value: unknown = JSON.parse(text)
    assert.equal(isDeeperThan(value, depth), false, text)
    if (depth > 0) assert.equal(isDeeperThan(value, depth - 1), true, text)
  }
})

test('a body that is nothing but nesting does not exhaust the stack', () => {
  const value: unknown = JSON.parse('['.repeat(500_000) + ']'.repeat(500_000))
  assert.equal(isDeeperThan(value, 100), true)
})
