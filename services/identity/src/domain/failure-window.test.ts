import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFailureWindow } from './failure-window.js'

test('a key is full after so many failures, until its window ends', () => {
  let now = 0
  const window = createFailureWindow({ failuresMax: 3, windowMs: 100, keysMax: 9, now: () => now })
  for (let n = 0; n < 3; n++) {
    assert.equal(window.isFull('ann'), false)
    window.count('ann')
    now += 10
  }
  assert.equal(window.isFull('ann'), true)
  assert.equal(window.isFull('bob'), false)
  now = 100
  assert.equal(window.isFull('ann'), false)
  window.count('ann')
  assert.equal(window.isFull('ann'), false)
})

test('no more keys than its bound are remembered: the oldest is forgotten', () => {
  const window = createFailureWindow({ failuresMax: 1, windowMs: 100, keysMax: 2, now: () => 0 })
  for (const key of ['a', 'b', 'b', 'c']) window.count(key)
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => window.isFull(key)),
    [false, true, true],
  )
})
