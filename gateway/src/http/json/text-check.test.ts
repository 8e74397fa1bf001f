import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findInvalidText } from './text-check.js'

const cases: [string, unknown, string, string | undefined][] = [
  ['plain values', { a: ['é😀', 1, null, true, { b: '' }] }, 'body', undefined],
  ['a string', '\0', 'name', 'name'],
  ['a member', { a: { b: 'x\0' } }, '', 'a.b'],
  ['an item', { a: ['', '\ud800'] }, 'metadata', 'metadata.a[1]'],
  ['a name, reported at its object', { a: { '\udc00': 1 } }, 'metadata', 'metadata.a'],
  ['the first of several', { a: ['x', { b: '\0' }], c: '\0' }, '', 'a[1].b'],
  ['a reversed surrogate pair', ['\ude00\ud83d'], 'list', 'list[0]'],
]

for (const [what, value, path, field] of cases) {
  test(`finds invalid text: ${what}`, () => {
    assert.equal(findInvalidText(value, path)?.field, field)
  })
}

test('finds invalid text at any depth that JSON.parse accepts', () => {
  const depth = 100_000
  const value: unknown = JSON.parse(`${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`)
  assert.equal(findInvalidText(value, 'a')?.field.length, 1 + 3 * depth)
})
