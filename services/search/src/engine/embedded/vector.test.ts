import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorOf } from './vector.js'

test('has the words with their positions and weights', () => {
  const { text, words } = vectorOf({
    fields: { name: 'Running IL-6', code: "it's", ids: 'aB3dE5fG7' },
  })
  assert.deepEqual(text.split(' '), [
    ...["'running':1A", "'~run':1A", "'il-6':2A", "'il6':2A", "'il':2A", "'6':3A"],
    ...["'#ab3de5fg7':14A", "'it''s':24", "'its':24", "'it':24", "'s':25"],
  ])
  assert.deepEqual([...words], ['running'])
})

test('counts the words of the name and the description', () => {
  const fields = { name: 'Running IL-6', description: 'a plot', ids: 'aB3dE5fG7', code: 'x y z' }
  assert.equal(vectorOf({ fields }).titleWords, 5)
  assert.equal(vectorOf({ fields: { code: 'x y z' } }).titleWords, 0)
})

test('no phrase goes from one field to the next', () => {
  const { text } = vectorOf({ fields: { name: 'a', description: 'b' } })
  assert.equal(text, "'a':1A 'b':12B")
})

test('keeps within the limits of PostgreSQL', () => {
  const many = Array.from({ length: 60_000 }, (_, n) => `word${n}x`).join(' ')
  const fields = { name: 'title', description: many, metadata: many.replaceAll('word', 'other') }
  const { text } = vectorOf({
    fields: { ...fields, code: 'same '.repeat(50_000), ocr: 'ﷺ'.repeat(50_000) },
  })
  assert.ok(text.length < 4_000_000, `${text.length}`)
  assert.match(text, /^'title':1A /)
  for (const [, position] of text.matchAll(/[:,](\d+)/g)) assert.ok(Number(position) <= 16_383)
  const [, places = ''] = /'same':(\S+)/.exec(text) ?? []
  assert.ok(places.split(',').length <= 255)
  const small = vectorOf({ fields: { name: many } }, { wordsMax: 100, vectorBytesMax: 1e6 })
  assert.ok(!small.text.includes('word100x'))
  const bytes = vectorOf({ fields: { name: many } }, { wordsMax: 1e6, vectorBytesMax: 1000 })
  assert.ok(bytes.text.length < 2000)
})

test('has the tokens of the metadata as lexemes of their own', () => {
  const { text, words } = vectorOf({ fields: { name: 'ab' }, metadata: ['ab12', 'cd34'] })
  assert.equal(text, "'=ab12':16383 '=cd34':16383 'ab':1A")
  assert.deepEqual([...words], [])
})
