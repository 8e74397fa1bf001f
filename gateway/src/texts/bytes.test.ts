import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesFormat } from './bytes.js'

test('formats sizes', () => {
  const bytes = bytesFormat('en-GB')
  for (const [size, expected] of [
    [0n, '0 bytes'],
    [1n, '1 byte'],
    [999n, '999 bytes'],
    [1000n, '1.0 kB'],
    [9949n, '9.9 kB'],
    [9951n, '10 kB'],
    [12_345n, '12 kB'],
    [999_499n, '999 kB'],
    [999_500n, '1.0 MB'],
    [1_400_000n, '1.4 MB'],
    [64n * 2n ** 30n, '69 GB'],
    [2n ** 60n, '1,153 PB'],
  ] as const) {
    assert.equal(bytes(size), expected)
  }
})

test('formats sizes in other languages', () => {
  assert.equal(bytesFormat('de')(1_400_000), '1,4 MB')
  assert.equal(bytesFormat('fr')(1_400_000), '1,4\u202fMo')
})
