import assert from 'node:assert/strict'
import { test } from 'node:test'
import { metadataToken, metadataTokens } from './metadata-tokens.js'

const tokensOf = (pairs: [string, string][]) =>
  pairs.map(([key, value]) => metadataToken(key, value))

test('has a token for each text, number and truth value', () => {
  const json = JSON.stringify({
    instrument: 'Leica SP8',
    camera: { gain: 2, isCooled: true, lens: null },
    channels: ['red', 'green', ['blue'], { name: 'red' }],
  })
  const expected = tokensOf([
    ['instrument', 'Leica SP8'],
    ['camera.gain', '2'],
    ['camera.isCooled', 'true'],
    ['channels', 'red'],
    ['channels', 'green'],
    ['channels', 'blue'],
    ['channels.name', 'red'],
  ])
  assert.deepEqual(metadataTokens(json), expected)
  for (const token of expected) assert.match(token, /^[0-9a-f]{32}$/)
})

test('a key and a value are not confused with others', () => {
  const tokens = tokensOf([
    ['a', 'b'],
    ['a', 'B'],
    ['ab', ''],
    ['', 'ab'],
    ['a","b', ''],
  ])
  assert.equal(new Set(tokens).size, tokens.length)
  assert.equal(metadataToken('cafe\u0301', 'x'), metadataToken('caf\u00e9', 'x'))
})

test('leaves out what is too long, too much, or no object', () => {
  for (const json of ['{', '3', '"text"', 'null', '{}', '[]', '{"a": null}'])
    assert.deepEqual(metadataTokens(json), [], json)
  assert.deepEqual(metadataTokens(JSON.stringify({ a: 'x'.repeat(501), ['k'.repeat(201)]: 1 })), [])
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`k${n}`, n]))
  assert.equal(metadataTokens(JSON.stringify(many)).length, 500)
  assert.equal(
    metadataTokens(JSON.stringify({ a: Array.from({ length: 200 }, (_, n) => n) })).length,
    100,
  )
  const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
  assert.deepEqual(metadataTokens(deep), [])
})
