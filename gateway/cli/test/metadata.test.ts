import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMetadata, parseMetadataTexts } from '../src/metadata.js'

test('a value is JSON or text', () => {
  const pairs = ['seed=42', 'unit=K', 'on=true', 'eq=a=b', 'empty=', 'list=[1,2]', '__proto__=1']
  assert.deepEqual(Object.entries(parseMetadata(pairs)), [
    ['seed', 42],
    ['unit', 'K'],
    ['on', true],
    ['eq', 'a=b'],
    ['empty', ''],
    ['list', [1, 2]],
    ['__proto__', 1],
  ])
})

test('a value to search for is a text', () => {
  assert.deepEqual(parseMetadataTexts(['seed=42', 'eq=a=b']), { seed: '42', eq: 'a=b' })
})

test('refuses what is not key=value', () => {
  for (const pair of ['seed', '=1']) assert.throws(() => parseMetadata([pair]), { code: 2 })
})
