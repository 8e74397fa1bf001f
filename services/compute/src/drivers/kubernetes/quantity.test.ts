import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuantity } from './quantity.js'

test('quantities have decimal and binary units, and exponents', () => {
  const amounts = {
    '2': 2,
    '1500m': 1.5,
    '250000000n': 0.25,
    '128Mi': 2 ** 27,
    '1.5G': 1.5e9,
    '1e3': 1000,
    '2E': 2e18,
  }
  for (const [text, amount] of Object.entries(amounts)) {
    assert.ok(Math.abs(parseQuantity(text) - amount) <= amount * 1e-12, text)
  }
  for (const text of ['', 'm', '1x', '1 Gi', '1KiB'])
    assert.ok(Number.isNaN(parseQuantity(text)), text)
})
