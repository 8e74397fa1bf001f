import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meanVector } from './mean-vector.js'

test('is the direction between the vectors, and undefined without a direction', () => {
  const mean = meanVector([Float32Array.of(1, 0), Float32Array.of(0, 1)])
  assert.deepEqual(mean, Float32Array.of(Math.SQRT1_2, Math.SQRT1_2))
  assert.equal(meanVector([]), undefined)
  assert.equal(meanVector([Float32Array.of(1, 0), Float32Array.of(-1, 0)]), undefined)
})
