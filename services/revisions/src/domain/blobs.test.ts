import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blobClaims } from './blobs.js'

test('the same bytes are one claim that counts, in the order of the digests', () => {
  const staged = [
    { key: 'u/0', digest: 'b', size: 2n },
    { key: 'u/1', digest: 'a', size: 1n },
    { key: 'u/2', digest: 'b', size: 2n },
  ]
  assert.deepEqual(blobClaims(staged), [
    { key: 'u/1', digest: 'a', size: 1n, refs: 1 },
    { key: 'u/0', digest: 'b', size: 2n, refs: 2 },
  ])
})
