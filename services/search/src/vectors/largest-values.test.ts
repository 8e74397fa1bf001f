import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { LargestValues } from './largest-values.js'

test('knows the smallest of the largest', () => {
  const random = seededRandom(3)
  for (const count of [1, 2, 7, 100]) {
    const values = Array.from({ length: 500 }, () => Math.floor(random() * 200))
    const largest = new LargestValues(count)
    assert.equal(largest.smallest(), Number.NEGATIVE_INFINITY)
    for (const value of values) largest.add(value)
    assert.equal(largest.smallest(), values.sort((a, b) => b - a)[count - 1])
  }
})
