import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blobClaims } from './blobs.js'

test('equal bytes become one claim with a count, ordered by digest', () => {
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

test('the order of claims does not depend on the input', () => {
  const digests = (order: string) =>
    blobClaims([...order].map((digest) => ({ key: digest, digest, size: 1n })))
      .map(({ digest }) => digest)
      .join('')
  for (const order of ['abc', 'bca', 'cab', 'cba', 'acb']) assert.equal(digests(order), 'abc')
})
