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

test('whatever their order was', () => {
  const digests = (order: string) =>
    blobClaims([...order].map((digest) => ({ key: digest, digest, size: 1n })))
      .map(({ digest }) => digest)
      .join('')
  for (const order of ['abc', 'bca', 'cab', 'cba', 'acb']) assert.equal(digests(order), 'abc')
})
