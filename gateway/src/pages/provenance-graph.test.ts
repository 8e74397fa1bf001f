import assert from 'node:assert/strict'
import { test } from 'node:test'
import { html } from '@figbase/kit/text'
import { textsOf } from '../texts/texts.js'
import { provenanceGraph } from './provenance-graph.js'

const name = html`Revision 1`
const drawn = (sources: number, uses: number) => {
  const named = (count: number) => Array.from({ length: count }, (_, i) => html`${`<b>${i}`}`)
  const parts = { sources: named(sources), name, uses: named(uses) }
  const markup = provenanceGraph(textsOf({ headers: {} }), parts).toString()
  return {
    markup,
    boxes: markup.match(/<rect/g)?.length ?? 0,
    arrows: markup.match(/class="arrow"/g)?.length ?? 0,
  }
}

test('draws a box for each name, and an arrow from each source and to each use', () => {
  const { markup, boxes, arrows } = drawn(2, 1)
  assert.deepEqual([boxes, arrows], [4, 3])
  assert.equal(markup.match(/class="center"/g)?.length, 1)
  assert.doesNotMatch(markup, /<b>|NaN|undefined/)
})

test('draws nothing for a revision alone, and few boxes for many names', () => {
  assert.equal(drawn(0, 0).markup, '')
  const { markup, boxes, arrows } = drawn(0, 80)
  assert.deepEqual([boxes, arrows], [7, 6])
  assert.match(markup, /<text[^>]*>75 more</)
})
