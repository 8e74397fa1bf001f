import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from '../../text/parse-query.js'
import { wantedOf } from '../../text/wanted.js'
import { compileAll, compileEach } from './compile-query.js'

const compiled = (text: string, corrections = new Map<string, string[]>()) =>
  compileAll(wantedOf(parseQuery(text, 'all'), corrections), corrections.size > 0)

test('a word is found as written or by its stem, the last one also as a beginning', () => {
  const { match, exact, loose, corrected } = compiled('running cells')
  assert.equal(match, "('running' | '~run' | 'run') & ('cells':* | '~cell' | 'cell')")
  assert.equal(exact, "('running') | ('cells')")
  assert.equal(loose, "('running' | '~run' | 'run') | ('cells':* | '~cell' | 'cell')")
  assert.equal(corrected, null)
})

test('an identifier is found as a whole, or by its parts in a row', () => {
  const { match, exact } = compiled('IL-6 a')
  assert.equal(match, "('il-6' | 'il6' | (('il') <-> ('6'))) & ('a')")
  assert.equal(exact, "('il-6' | 'il6' | (('il') <-> ('6'))) | ('a')")
  assert.equal(compiled('aB3dE5fG7 x').match.includes("'#ab3de5fg7'"), true)
  assert.equal(compiled('aB3dE5 x').match.includes('#'), false)
})

test('a phrase is found word by word, and what is unwanted is left out', () => {
  assert.equal(compiled('"runs far"').match, "((('runs') <-> ('far')))")
  assert.equal(compiled('a -"b c" -runs').match, "('a') & !((('b') <-> ('c'))) & !('runs')")
})

test('corrected words are ranked apart', () => {
  const corrections = new Map([['haetmap', ['heatmap', 'heatmaps']]])
  const { match, exact, loose, corrected } = compiled('haetmap x', corrections)
  assert.equal(match, "('haetmap' | '~haetmap' | 'heatmap' | 'heatmaps') & ('x')")
  assert.equal(exact, "('haetmap') | ('x')")
  assert.equal(loose, "('haetmap' | '~haetmap') | ('x')")
  assert.equal(corrected, "('haetmap' | '~haetmap' | 'heatmap' | 'heatmaps') | ('x')")
})

test('words are together in the name or the description, also one after the other', () => {
  const { together, inOrder } = compiled('IL-6 cells')
  const il6 = (weight: string) =>
    `('il-6':${weight} | 'il6':${weight} | (('il':${weight}) <-> ('6':${weight})))`
  assert.equal(together, `(${il6('A')} & ('cells':A)) | (${il6('B')} & ('cells':B))`)
  assert.equal(inOrder, "('il':AB) <-> ('6':AB) <-> ('cells':AB)")
})

test('each term has its own conditions, and all unwanted words', () => {
  const terms = compileEach(wantedOf(parseQuery('a b -c', 'any')), false)
  assert.deepEqual(
    terms.map(({ match }) => match),
    ["('a') & !('c')", "('b') & !('c')"],
  )
})
