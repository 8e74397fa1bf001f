import assert from 'node:assert/strict'
import { test } from 'node:test'
import { thirdOfEachKind } from './leak-sample.js'

const all = ['a1', 'b1', 'a2', 'a3', 'c1', 'a4', 'c2', 'c3', 'a5']
const kindOf = (one: string) => one.charAt(0)

test('a third of each kind, at least one of each', () => {
  assert.deepEqual(thirdOfEachKind(all, kindOf, 0), ['a1', 'a4', 'b1', 'c1'])
  assert.deepEqual(thirdOfEachKind(all, kindOf, 1), ['a2', 'a5', 'b1', 'c2'])
  assert.deepEqual(thirdOfEachKind([], kindOf, 1), [])
})

test('three beginnings read all', () => {
  const read = [0, 1, 2].flatMap((start) => thirdOfEachKind(all, kindOf, start))
  assert.deepEqual([...new Set(read)].sort(), [...all].sort())
})
