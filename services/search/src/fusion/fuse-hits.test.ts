import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import { fuseHits, type ScoredHit } from './fuse-hits.js'

const hits = (text: string): ScoredHit[] =>
  text.split(' ').map((hit) => {
    const [id = '', score] = hit.split(':')
    return { id, score: Number(score) }
  })
const ids = (found: ScoredHit[]) => found.map(({ id }) => id).join(' ')

test('a figure that both lists have comes first', () => {
  const words = hits('a:0.5 b:0.5 c:0.1')
  assert.equal(ids(fuseHits(words, hits('b:0.9 d:0.8 e:0.6'), 10)), 'b a d c e')
})

test('the best hit of the words is not lost to a neighbor, and each list works alone', () => {
  const words = hits('rare:0.001')
  const vectors = hits('x:0.99 y:0.98 z:0.5')
  assert.equal(ids(fuseHits(words, vectors, 2)), 'rare x')
  assert.equal(ids(fuseHits([], vectors, 10)), 'x y z')
  assert.equal(ids(fuseHits(words, [], 10)), 'rare')
  assert.deepEqual(fuseHits([], [], 10), [])
})

test('ties keep the order of the lists', () => {
  assert.equal(ids(fuseHits(hits('b:1 a:1 c:1'), [], 10)), 'b a c')
  assert.equal(ids(fuseHits(hits('b:0 a:0'), hits('z:0.5 y:0.5'), 10)), 'b a z y')
})

test('for random lists: scores are between 0 and 1 and descend, and no id is repeated', () => {
  const random = seededRandom(7)
  const list = () =>
    Array.from({ length: Math.floor(random() * 30) }, (_, n) => ({
      id: `${n}-${Math.floor(random() * 2)}`,
      score: random(),
    })).sort((a, b) => b.score - a.score)
  for (let round = 0; round < 200; round++) {
    const [words, vectors] = [list(), list()]
    const fused = fuseHits(words, vectors, 100)
    const union = new Set([...words, ...vectors].map(({ id }) => id))
    assert.deepEqual(new Set(fused.map(({ id }) => id)), union)
    assert.equal(fused.length, union.size)
    for (const [n, { score }] of fused.entries()) {
      assert.ok(score >= 0 && score <= 1)
      assert.ok(score <= (fused[n - 1]?.score ?? 1))
    }
    const best = words[0]
    const byVectorAlone = fused.findIndex(({ id }) => !words.some((word) => word.id === id))
    if (best && byVectorAlone >= 0) {
      assert.ok(fused.findIndex(({ id }) => id === best.id) < byVectorAlone)
    }
  }
})
