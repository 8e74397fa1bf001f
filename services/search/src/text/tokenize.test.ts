import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { joined, tokenize, wordCharsMax } from './tokenize.js'

const wholes = (text: string) => [...tokenize(text, 1000)].map(({ whole }) => whole[0])
/** The parts of the first word: their forms, and the stem if it differs. */
const parts = (text: string) =>
  [...tokenize(text, 1)].flatMap(({ parts: all }) =>
    all.map(({ forms, stem }) =>
      [...forms, ...(stem && stem !== forms[0] ? [`~${stem}`] : [])].join(' '),
    ),
  )

test('keeps identifiers as one word', () => {
  const identifiers = ['il-6', 'p53', 'δψm', 'q_value', 'log2fc', '10.1038/s41586-020-1', 'tnf-α']
  const others = ['h3k27me3', 'co2', "5'-utr", 'fig_2b.png', 'a+b', 'user@example.org', '3.14']
  const text = [...identifiers, ...others]
  assert.deepEqual(wholes(text.join(' ').toUpperCase()), text)
  assert.deepEqual(wholes(`(${text.join('), (')}).`), text)
})

test('splits identifiers into parts', () => {
  const expected: Record<string, string[]> = {
    'IL-6': ['il', '6'],
    log2FC: ['log', '2', 'fc'],
    q_value: ['q', 'value ~valu'],
    colorScale: ['color', 'scale'],
    HTTPServer: ['http https', 'server erver'],
    RNAseq: ['rn rna', 'aseq seq'],
    mRNA: ['m', 'rna'],
    H3K27me3: ['h', '3', 'k', '27', 'me', '3'],
    TNFα: ['tnf', 'α alpha'],
    Δψm: ['δ delta', 'ψ psi', 'm'],
    Καλημέρα: ['καλημερα kappaalphalambdaetamuepsilonrhoalpha'],
    'fig_2b.png': ['fig', '2', 'b', 'png'],
    running: ['running ~run'],
  }
  for (const [word, all] of Object.entries(expected)) assert.deepEqual(parts(word), all, word)
})

test('other spellings of a word are equal', () => {
  const spellings = (text: string) => [...tokenize(text, 1)].flatMap(({ whole }) => whole)
  for (const pair of ['IL-6 IL6', 'q_value qvalue', 'TNF-α tnf-alpha', 'colorScale colorscale']) {
    const [one = '', other = ''] = pair.split(' ')
    assert.ok(
      spellings(one).some((form) => spellings(other).includes(form)),
      pair,
    )
  }
  assert.deepEqual(wholes('Ångström STRASSE straße ﬁg ＡＢ log₂FC'), [
    ...['angstrom', 'strasse', 'strasse', 'fig', 'ab', 'log2fc'],
  ])
})

test('hashes and UUIDs have no parts', () => {
  const uuid = '3f2b1c9a-1234-4abc-8def-0123456789ab'
  const [token] = [...tokenize(uuid, 1)]
  assert.deepEqual(token?.whole, [uuid, joined(uuid)])
  assert.equal(token?.parts.length, 1)
  assert.equal([...tokenize('ab12'.repeat(16), 10)][0]?.parts.length, 1)
})

test('scripts without spaces become pairs, which a query follows', () => {
  const pairs = (text: string, isQuery: boolean) =>
    [...tokenize(text, 10, isQuery)].flatMap((token) => token.parts.map(({ forms }) => forms[0]))
  assert.deepEqual(pairs('细胞凋亡', false), ['细胞', '胞凋', '凋亡', '亡'])
  assert.deepEqual(pairs('细胞凋亡', true), ['细胞', '胞凋', '凋亡'])
  assert.deepEqual(pairs('亡', true), ['亡'])
  assert.deepEqual(pairs('IL6基因', true), ['il', '6', '基因'])
})

test('bounds the words and their length', () => {
  assert.equal([...tokenize('a '.repeat(100), 7)].length, 7)
  assert.deepEqual(wholes('x'.repeat(1000)), ['x'.repeat(wordCharsMax)])
  const address = `https://example.org/${'path/'.repeat(20)}end`
  assert.deepEqual(wholes(address).slice(0, 3), ['https', 'example', 'org'])
  assert.equal(wholes(address).at(-1), 'end')
  for (const { whole, parts: all } of tokenize('ﷺ'.repeat(500), 10)) {
    for (const form of [...whole, ...all.flatMap(({ forms }) => forms)]) {
      assert.ok(Buffer.byteLength(form) < 1000)
    }
  }
})

test('any text has words with places in the text, and well-formed forms', () => {
  const random = seededRandom(1)
  const alphabet = [
    ...[
      'a',
      'B',
      '7',
      ' ',
      '-',
      '_',
      "'",
      '.',
      '/',
      'α',
      'Δ',
      'é',
      'e\u0301',
      'ß',
      'ﬁ',
      '²',
      '细',
      'の',
    ],
    ...['\0', '\ud800', '\udc00', '𝛼', '𠀀', '😀', '\u0301', 'ﷺ', 'ก', 'क', 'ि', '\u202e', '\n'],
  ]
  for (let times = 0; times < 2000; times++) {
    const length = Math.floor(random() * 200)
    const pick = () => alphabet[Math.floor(random() * alphabet.length)] ?? ''
    const text = Array.from({ length }, pick).join('')
    let before = 0
    for (const token of tokenize(text, 1000)) {
      assert.ok(token.start >= before && token.end > token.start && token.end <= text.length)
      before = token.start
      assert.ok(token.parts.length > 0)
      for (const part of token.parts) {
        assert.ok(part.start >= token.start && part.end <= token.end && part.end > part.start)
        for (const form of [...part.forms, ...token.whole]) {
          assert.doesNotMatch(form, /\p{Surrogate}|\0/u)
          assert.notEqual(form, '')
        }
      }
    }
  }
})

// With quadratic time, this test would take hours.
test('takes linear time', () => {
  for (const unit of ['a', 'aB', 'a-', 'α', 'A', '7', "a'", '细', '\u0301', '-', 'ab1']) {
    let found = 0
    for (const { parts: all } of tokenize(unit.repeat(200_000), 1e6)) found += all.length
    assert.equal(found > 0, /[\p{L}\p{N}]/u.test(unit), unit)
  }
})
