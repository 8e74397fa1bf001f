import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readable } from './text.js'

const cases: [what: string, given: string, expected: string][] = [
  ['tabs stay', 'a\tb', 'a\tb'],
  ['colours go', '\u001b[31mred\u001b[0m', 'red'],
  ['control characters go', 'a\0b\u0007c\u007fd\u0085e', 'abcde'],
  ['lines become one', 'a\r\n  b\n', 'a b '],
  ['empty lines are left out', 'a\n\n\nb', 'a b'],
  ['what is too long is cut', '0123456789x', '012345678…'],
  ['what just fits stays', '0123456789', '0123456789'],
  ['halves of pairs are replaced', 'a\ud800', 'a\ufffd'],
]

for (const [what, given, expected] of cases) {
  test(`readable text: ${what}`, () => assert.equal(readable(given, 10), expected))
}
