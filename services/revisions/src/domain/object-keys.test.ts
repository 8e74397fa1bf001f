import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '@figbase/kit/ids'
import { ownerOf, stagedPrefix, thumbnailKey } from './object-keys.js'

test('finds the owner of each key, and none for unknown keys', () => {
  const id = newId()
  const digest = 'ab'.repeat(32)
  assert.deepEqual(ownerOf(`${stagedPrefix(id)}12`), { kind: 'upload', id })
  assert.deepEqual(ownerOf(thumbnailKey(id, digest)), { kind: 'thumbnail', id, digest })
  assert.deepEqual(ownerOf(thumbnailKey(id, digest, 128)), { kind: 'thumbnail', id, digest })
  assert.deepEqual(ownerOf(`resumable/0a/${id}-${newId()}`), { kind: 'resumable', id })
  const others = [
    'a',
    'uploads/x',
    `uploads/00/${id}`,
    `thumbnails/${id}/x.png`,
    `x/uploads/00/${id}-1`,
  ]
  for (const key of others) assert.equal(ownerOf(key), undefined, key)
})
