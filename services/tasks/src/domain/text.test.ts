import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPlainLine } from './text.js'

const cases: [what: string, given: string, expected: string][] = [
  ['keeps tabs', 'a\tb', 'a\tb'],
  ['removes colours', '\u001b[31mred\u001b[0m', 'red'],
  ['removes control characters', 'a\0b\u0007c\u007fd\u0085e', 'abcde'],
  ['joins lines', 'a\r\n  b\n', 'a b '],
  ['skips empty lines', 'a\n\n\nb', 'a b'],
  ['truncates long text', '0123456789x', '012345678…'],
  ['keeps text that fits', '0123456789', '0123456789'],
  ['replaces lone surrogates', 'a\ud800', 'a\ufffd'],
]

for (const [what, given, expected] of cases) {
  test(`toPlainLine ${what}`, () => assert.equal(toPlainLine(given, 10), expected))
}
