import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseExposition, sampleValue } from './exposition.js'

const head = '# HELP a_total How many.\n# TYPE a_total counter\n'

test('parses valid text, including escapes', () => {
  const families = parseExposition(`${head}a_total{x="1",y="a\\"b\\\\c\\n}"} 3\na_total 1.5e+3\n`)
  assert.deepEqual(families.get('a_total')?.samples, [
    { name: 'a_total', labels: { x: '1', y: 'a"b\\c\n}' }, value: 3 },
    { name: 'a_total', labels: {}, value: 1500 },
  ])
  assert.equal(sampleValue(families, 'a_total', { x: '1' }), 3)
  assert.equal(sampleValue(families, 'a_total', { x: '2' }), undefined)
})

const histogram = '# HELP h Seconds.\n# TYPE h histogram\n'
for (const [what, text] of [
  ['an end in the middle of a line', `${head}a_total 1`],
  ['a sample without its type', 'a_total 1\n'],
  ['a sample of another family', `${head}b_total 1\n`],
  ['a series twice', `${head}a_total{x="1"} 1\na_total{x="1"} 2\n`],
  ['a family twice', `${head}a_total 1\n${head}`],
  ['labels that are not quoted', `${head}a_total{x=1} 1\n`],
  ['a quote that is not escaped', `${head}a_total{x="a"b"} 1\n`],
  ['a value that is no number', `${head}a_total many\n`],
  ['buckets that shrink', `${histogram}h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_count 1\n`],
  ['buckets that miss some', `${histogram}h_bucket{le="+Inf"} 1\nh_sum 1\nh_count 2\n`],
  ['no last bucket', `${histogram}h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n`],
] as const) {
  test(`rejects ${what}`, () => {
    assert.throws(() => parseExposition(text), assert.AssertionError)
  })
}
