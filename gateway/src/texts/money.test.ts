import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minorOf } from './money.js'

test('a typed amount is read in minor units, or not at all', () => {
  assert.equal(minorOf(' 12.5 ', 'EUR'), 1250n)
  assert.equal(minorOf('12,05', 'EUR'), 1205n)
  assert.equal(minorOf('12', 'JPY'), 12n)
  for (const wrong of ['', '-1', '1.234', '1e3', 'NaN', '1.', '.5']) {
    assert.equal(minorOf(wrong, 'EUR'), undefined, wrong)
  }
  assert.equal(minorOf('1.5', 'JPY'), undefined)
})
