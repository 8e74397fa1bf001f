import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Int8Rows } from './int8-rows.js'

test('products of the largest numbers do not overflow, and the errors are bounds', () => {
  for (const dimensions of [1, 16, 512, 8192]) {
    const rows = new Int8Rows(dimensions)
    const length = Math.sqrt(dimensions)
    const flat = new Float32Array(dimensions).fill(1 / length)
    const { scale, error } = rows.set(5000, flat)
    const results = new Float32Array(5001)
    const queryError = rows.scan(flat, 5001, results)
    assert.ok(Math.abs((results[5000] ?? 0) * scale - 1) <= error + 2 * queryError + 1e-5)
    assert.equal(results[4999], 0)
  }
  assert.throws(() => new Int8Rows(8193), /at most 8192/)
})
