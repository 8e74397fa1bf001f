import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataWords } from './metadata-words.js'

test('keys and values are lines, in their order', () => {
  const json = JSON.stringify({ gene: 'TP53', nested: { list: ['a', 2, null, true] }, empty: '' })
  assert.equal(metadataWords(json, 1000), 'gene\nTP53\nnested\nlist\na\n2\nempty')
})

test('the text is bounded', () => {
  assert.equal(metadataWords(JSON.stringify({ key: 'x'.repeat(100) }), 10), 'key\nxxxxxx')
  assert.equal(metadataWords(JSON.stringify(Array(1000).fill(1)), 10_000).split('\n').length, 100)
})

test('text that is not JSON gives no words', () => {
  assert.equal(metadataWords('{', 100), '')
  assert.equal(metadataWords('', 100), '')
})

test('deep nesting does not overflow the stack', () => {
  assert.equal(metadataWords(`${'['.repeat(5000)}"deep"${']'.repeat(5000)}`, 100), 'deep')
})
