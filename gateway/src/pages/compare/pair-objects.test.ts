import assert from 'node:assert/strict'
import { test } from 'node:test'
import { create } from '@bufbuild/protobuf'
import { DataObjectSchema, DataType } from '@figbase/proto/revisions'
import { pairObjects, stateOf } from './pair-objects.js'

const object = (name: string, hash: string, type = DataType.CODE) =>
  create(DataObjectSchema, { name, hash, type })

test('pairs objects with the same type and name in their order', () => {
  const before = [object('a', '1'), object('a', '2'), object('b', '3'), object('c', '4')]
  const after = [
    object('a', '1'),
    object('a', '5'),
    object('c', '4', DataType.TEXT),
    object('b', '3'),
  ]
  assert.deepEqual(
    pairObjects(before, after).map((pair) => [
      pair.before?.hash ?? '',
      pair.after?.hash ?? '',
      stateOf(pair),
    ]),
    [
      ['1', '1', 'same'],
      ['2', '5', 'changed'],
      ['3', '3', 'same'],
      ['4', '', 'removed'],
      ['', '4', 'added'],
    ],
  )
})

test('objects that are not hashed yet count as changed', () => {
  const [pair] = pairObjects([object('a', '')], [object('a', '')])
  assert.equal(pair && stateOf(pair), 'changed')
})
