import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { parseQuery } from './parse-query.js'

const terms = (text: string) => {
  const { terms: found, without } = parseQuery(text, 'all')
  const shown = ({ text: written, isQuoted }: { text: string; isQuoted: boolean }) =>
    isQuoted ? `"${written}"` : written
  return [...found.map(shown), ...without.map((term) => `-${shown(term)}`)]
}

test('reads words, phrases and words to leave out', () => {
  assert.deepEqual(terms('IL-6 heat map'), ['IL-6', 'heat', 'map'])
  assert.deepEqual(terms('a "b c" -d -"e f" -- - -'), ['a', '"b c"', '-d', '-"e f"'])
  assert.deepEqual(terms('“curly quotes” „low”'), ['"curly quotes"', '"low"'])
  assert.deepEqual(terms('an "open phrase'), ['an', '"open phrase"'])
  assert.deepEqual(terms('5-HT α-β --x'), ['5-HT', 'α-β', '--x'].toSpliced(2, 1).concat('--x'))
})

test('looks for a DOI without its link', () => {
  const links = ['https://doi.org/', 'http://dx.doi.org/', 'doi.org/', 'doi:', 'HTTPS://DOI.ORG/']
  for (const link of links) assert.deepEqual(terms(`${link}10.1038/s4`), ['10.1038/s4'], link)
  for (const text of ['https://example.org/10.1038/s4', 'doi:s4', 'https://doi.org/about'])
    assert.deepEqual(terms(text), [text])
})

test('ignores what has no letters or digits', () => {
  assert.deepEqual(terms(' \n "" "!" & | () * : \\ \0 😀 \ud800 '), [])
})

test('keeps how terms are to be matched', () => {
  assert.equal(parseQuery('a', 'any').match, 'any')
  assert.equal(parseQuery('', 'all').match, 'all')
})

test('is bounded, and accepts any text', () => {
  const many = parseQuery('a -b '.repeat(1000), 'all')
  assert.deepEqual([many.terms.length, many.without.length], [32, 32])
  const limits = { queryCharsMax: 3, termsMax: 1 }
  assert.deepEqual(parseQuery('abcdef', 'all', limits).terms, [{ text: 'abc', isQuoted: false }])
  const random = seededRandom(2)
  for (let times = 0; times < 1000; times++) {
    const units = Array.from({ length: 50 }, () => Math.floor(random() * 0x300))
    const { terms: found, without } = parseQuery(String.fromCharCode(...units, 34, 45), 'any')
    for (const { text } of [...found, ...without]) assert.match(text, /[\p{L}\p{N}]/u)
  }
})
