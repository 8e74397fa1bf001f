import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minorOf, moneyFormat } from './money.js'

test('amounts are shown in the form of the reader, with the digits of their currency', () => {
  assert.equal(moneyFormat('en')(123_456n, 'EUR'), '€1,234.56')
  assert.equal(moneyFormat('de')(123_456n, 'EUR'), '1.234,56\u00a0€')
  assert.equal(moneyFormat('en')(123_456n, 'JPY'), '¥123,456')
})

test('a typed amount is read in minor units, or not at all', () => {
  assert.equal(minorOf(' 12.5 ', 'EUR'), 1250n)
  assert.equal(minorOf('12,05', 'EUR'), 1205n)
  assert.equal(minorOf('12', 'JPY'), 12n)
  for (const wrong of ['', '-1', '1.234', '1e3', 'NaN', '1.', '.5']) {
    assert.equal(minorOf(wrong, 'EUR'), undefined, wrong)
  }
  assert.equal(minorOf('1.5', 'JPY'), undefined)
})
