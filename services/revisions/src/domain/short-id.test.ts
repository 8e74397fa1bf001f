import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPrefix, prefixOf, shortIdOf } from './short-id.js'

test('short id numbers are in base 62: digits, lower case, upper case', () => {
  const cases: [number, string][] = [
    [0, '0'],
    [9, '9'],
    [10, 'a'],
    [35, 'z'],
    [36, 'A'],
    [61, 'Z'],
    [62, '10'],
    [62 * 62 - 1, 'ZZ'],
    [62 * 62, '100'],
    [62 ** 8 - 1, 'ZZZZZZZZ'],
  ]
  for (const [index, digits] of cases)
    assert.equal(shortIdOf('0aZ9bYc1', index), `0aZ9bYc1${digits}`)
})

test('short ids are unique and canonical', () => {
  const made = new Set(Array.from({ length: 10_000 }, (_, index) => shortIdOf('00000000', index)))
  assert.equal(made.size, 10_000)
  for (const one of made) assert.equal(prefixOf(one), '00000000')
})

test('rejects short ids that are not canonical', () => {
  const none = [
    '',
    '0aZ9bYc1',
    '0aZ9bYc100',
    '0aZ9bYc101',
    '0aZ9bYc1-',
    '0aZ9bYc1 ',
    '0aZ9bYc1a\n',
    '0aZ9bYc1ä',
    '0aZ9bYc11234567890',
    crypto.randomUUID(),
    crypto.randomUUID().replaceAll('-', ''),
  ]
  for (const text of none) assert.equal(prefixOf(text), undefined, JSON.stringify(text))
})

test('a prefix has 8 digits, and every digit occurs', () => {
  const prefixes = Array.from({ length: 1000 }, newPrefix)
  for (const prefix of prefixes) assert.match(prefix, /^[0-9a-zA-Z]{8}$/)
  assert.equal(new Set(prefixes).size, 1000)
  assert.equal(new Set(prefixes.join('')).size, 62)
})
