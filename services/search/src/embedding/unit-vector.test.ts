import assert from 'node:assert/strict'
import { test } from 'node:test'
import { unitVector } from './unit-vector.js'

test('scales a vector to length 1, and leaves its source as it is', () => {
  const source = [3, 4]
  const vector = unitVector(source)
  assert.deepEqual(vector, Float32Array.of(0.6, 0.8))
  assert.deepEqual(source, [3, 4])
})

test('a vector without a direction is undefined', () => {
  for (const values of [[], [0, 0], [1, Number.NaN], [Number.POSITIVE_INFINITY, 1]]) {
    assert.equal(unitVector(values), undefined)
  }
})
