import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../../text/parse-query.js'
import { compileQuery } from './compile-query.js'

const compiled = (text: string, match: 'all' | 'any' = 'all', allowsErrors = false) =>
  compileQuery(parseQuery(text, match), allowsErrors).map((condition) =>
    condition.map(({ level, q, isPrefix }) => `${level} ${q}${isPrefix ? '*' : ''}`),
  )

test('words are looked for as written, by their stems, and unfinished', () => {
  assert.deepEqual(compiled('red apples'), [
    ['exact red apples', 'loose 0stemred 0stemappl', 'loose 0stemred apples*'],
  ])
})

test('identifiers are phrases of their parts, or joined', () => {
  assert.deepEqual(compiled('IL-6'), [['exact "il 6"', 'loose il6']])
  assert.deepEqual(compiled('q_value'), [['exact "q value"', 'loose qvalue*']])
  assert.deepEqual(compiled('Δψm'), [['exact "delta psi m"', 'loose deltapsim']])
})

test('quoted words have neither stems, prefixes nor typing errors', () => {
  assert.deepEqual(compiled('"apples"'), [['exact "apples"']])
  assert.deepEqual(compiled('"apples" pear', 'all', true), [['corrected "apples" pear']])
})

test('excluded words are excluded from each search', () => {
  const [[exact, loose] = []] = compiled('red -"green pears" -IL-6')
  assert.equal(exact, 'exact red -"green pears" -"il 6" -"il6"')
  assert.equal(loose, 'loose 0stemred -"green pears" -"il 6" -"il6"')
})

test('each term is a condition if one of them is enough', () => {
  assert.deepEqual(compiled('red 53', 'any'), [['exact red', 'loose 0stemred'], ['exact 53']])
  assert.equal(compiled('a '.repeat(30), 'any').length, 16)
})

test('no text becomes syntax of Typesense', () => {
  const odd = [
    '*',
    '`',
    '"',
    "'",
    '&& hidden:=true',
    '||',
    '[a]',
    '(b)',
    '-',
    '--x',
    'a:b',
    '\0',
    '<b>',
  ]
  for (const text of [...odd, odd.join(' '), `"${odd.join('')}"`, odd.join('x')]) {
    for (const match of ['all', 'any'] as const) {
      for (const { q } of compileQuery(parseQuery(text, match), false).flat()) {
        const word = '[\\p{L}\\p{N}\\p{M}]+'
        const term = `(${word}|-?"${word}( ${word})*")`
        assert.match(q, new RegExp(`^${term}( ${term})*$`, 'u'), `${text} becomes ${q}`)
      }
    }
  }
})
