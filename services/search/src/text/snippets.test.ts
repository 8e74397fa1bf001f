import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { parseQuery } from './parse-query.js'
import { snippetLimits, snippetsOf } from './snippets.js'
import { wantedOf } from './wanted.js'

const shown = (text: string, query: string, corrections = new Map<string, string[]>()) =>
  snippetsOf(text, wantedOf(parseQuery(query, 'all'), corrections).terms.flat())

/** What is marked in a short text. */
const marked = (text: string, query: string) =>
  shown(text, query).flatMap((html) =>
    [...html.matchAll(/<mark>(.*?)<\/mark>/g)].map(([, word]) => word),
  )

test('marks words, their stems, parts and beginnings', () => {
  assert.deepEqual(marked('The cells were running.', 'run cell'), ['cells', 'running'])
  assert.deepEqual(marked('happy happiness', 'happy x'), ['happy', 'happiness'])
  assert.deepEqual(marked('IL-6, IL6 and IL 6, but not IL-7', 'il-6'), ['IL-6', 'IL6', 'IL 6'])
  assert.deepEqual(marked('a heatmap of heat', 'heat'), ['heatmap', 'heat'])
  assert.deepEqual(marked('TNF-α and β', 'alpha x'), ['α'])
  assert.deepEqual(marked('Ångström', 'angstrom'), ['Ångström'])
  assert.deepEqual(marked('a quick brown fox, brown quick', '"quick brown"'), ['quick brown'])
  assert.deepEqual(marked('细胞凋亡', '胞凋'), ['胞凋'])
  assert.deepEqual(marked('nothing', 'else'), [])
  const corrections = new Map([['haetmap', ['heatmap']]])
  assert.deepEqual(shown('the heatmap', 'haetmap', corrections), ['the <mark>heatmap</mark>'])
})

test('escapes everything but its own marks', () => {
  const text = `<script>"a" & 'b'</script>\n<mark>b</mark>`
  const escaped = '&lt;script&gt;&quot;<mark>a</mark>&quot; &amp; &#39;b&#39;&lt;/script&gt; '
  assert.deepEqual(shown(text, 'a x'), [`${escaped}&lt;mark&gt;b&lt;/mark&gt;`])
})

test('shows up to three parts of a long text, those with the most words', () => {
  const filler = 'nothing of interest here '.repeat(20)
  const both = 'apples and pears'
  const text = [filler, 'apples', filler, both, filler, 'apples', filler, 'apples', filler].join(
    ' ',
  )
  const snippets = shown(text, 'apples pears')
  assert.equal(snippets.length, 3)
  assert.equal(snippets.filter((one) => one.includes('<mark>pears</mark>')).length, 1)
  for (const snippet of snippets) {
    assert.ok(snippet.startsWith('…') && snippet.endsWith('…'), snippet)
    assert.match(snippet, /<mark>apples<\/mark>/)
    const { length } = snippet.replace(/<\/?mark>/g, '')
    assert.ok(length > 100 && length <= snippetLimits.snippetChars + 30, `${length}`)
  }
})

test('any text and query give bounded, well-formed snippets', () => {
  const random = seededRandom(4)
  const pieces = [
    'apple ',
    'pear',
    '<',
    '&',
    ' ',
    '😀',
    '\ud800',
    '\0',
    'α',
    'é',
    '细胞',
    '-',
    '"',
    '\n',
  ]
  for (let times = 0; times < 2000; times++) {
    const make = (most: number) =>
      Array.from(
        { length: Math.floor(random() * most) },
        () => pieces[Math.floor(random() * pieces.length)] ?? '',
      ).join('')
    const snippets = shown(make(300), make(6))
    assert.ok(snippets.length <= 3)
    for (const snippet of snippets) {
      assert.match(snippet, /<mark>/)
      const plain = snippet.replace(/<mark>([^<>]*)<\/mark>/g, '$1')
      assert.doesNotMatch(plain, /[<>"]|&(?!(amp|lt|gt|quot|#39);)/)
    }
  }
})
