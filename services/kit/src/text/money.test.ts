import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moneyFormat } from './money.js'

test('amounts are shown in the form of the reader, with the digits of their currency', () => {
  assert.equal(moneyFormat('en')(123_456n, 'EUR'), '€1,234.56')
  assert.equal(moneyFormat('de')(123_456n, 'EUR'), '1.234,56\u00a0€')
  assert.equal(moneyFormat('en')(123_456n, 'JPY'), '¥123,456')
})
