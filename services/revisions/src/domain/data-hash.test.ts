import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blake3 } from 'hash-wasm'
import { dataHashOf } from './data-hash.js'

test('the data hash of an asset revision', async () => {
  const [one, other] = [await blake3('one'), await blake3('other')]
  assert.equal(await dataHashOf([]), null)
  assert.equal(await dataHashOf([one]), one)
  assert.equal(await dataHashOf([one, other]), await blake3(one + other))
  assert.notEqual(await dataHashOf([other, one]), await dataHashOf([one, other]))
})
