import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@figbase/kit/testing'
import type { Place } from '../engine/port.js'
import { VectorTable } from './vector-table.js'

const random = seededRandom(11)
const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T

function unit(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => random() - 0.5)
  const length = Math.hypot(...vector)
  return vector.map((value) => value / length)
}

const place = (workspaceId = 'w1', rest: Partial<Place> = {}): Place => ({
  workspaceId,
  analysisId: null,
  itemId: null,
  hiddenBy: null,
  ...rest,
})
const everywhere = { roots: ['w1', 'w2'], recent: [] }
const table = (dimensions: number, limits = {}) =>
  new VectorTable({ dimensions, exactRowsMax: 1000, rowsMax: 1000, ...limits })
const ids = (found: { id: string }[]) => found.map(({ id }) => id).join(' ')

/** A model of the table: rows in a map, compared one by one. */
class Model {
  readonly rows = new Map<string, { vector: Float32Array; place: Place; createdMs: number }>()

  nearest(
    query: Float32Array,
    { roots, recent }: { roots: string[]; recent: string[] },
    k: number,
  ) {
    return [...this.rows]
      .filter(([id, { place }]) => {
        const above = [id, place.itemId, place.analysisId, place.workspaceId]
        const isIn = (list: string[]) => above.some((each) => each !== null && list.includes(each))
        return (place.hiddenBy === null && isIn(roots)) || isIn(recent)
      })
      .map(([id, { vector, createdMs }]) => {
        return { id, createdMs, cosine: vector.reduce((sum, v, n) => sum + v * (query[n] ?? 0), 0) }
      })
      .sort((a, b) => b.cosine - a.cosine || b.createdMs - a.createdMs || (a.id < b.id ? -1 : 1))
      .slice(0, k)
  }
}

test('finds what a comparison one by one finds, after any changes', () => {
  for (const dimensions of [3, 16, 50]) {
    const [compact, model] = [table(dimensions), new Model()]
    const somePlace = (): Place => ({
      workspaceId: pick(['w1', 'w2', 'w3']),
      analysisId: pick([null, 'a1', 'a2', 'a3']),
      itemId: pick([null, 'f1', 'f2', 'f3']),
      hiddenBy: pick([null, null, 'w1']),
    })
    // Some vectors are equal, so that there are ties.
    const vectors = Array.from({ length: 150 }, () => unit(dimensions))
    for (let step = 0; step < 2500; step++) {
      const id = `r${Math.floor(random() * 300)}`
      const row = { vector: pick(vectors), place: somePlace(), createdMs: pick([1, 2, 3]) }
      const change = random()
      const known = model.rows.get(id)
      if (change < 0.6) {
        compact.upsert({ id, ...row }, row.vector)
        model.rows.set(id, row)
      } else if (change < 0.8) {
        compact.place(id, row.place)
        if (known) model.rows.set(id, { ...known, place: row.place })
      } else {
        compact.remove(id)
        model.rows.delete(id)
      }
      assert.equal(compact.size, model.rows.size)
      if (step % 25 !== 0) continue
      const places = ['w1', 'w2', 'w3', 'a1', 'f2', 'r7', 'none']
      const filter = {
        roots: places.filter(() => random() < 0.3),
        recent: places.filter(() => random() < 0.1),
      }
      const query = unit(dimensions)
      const found = compact.nearest(query, filter, 20)
      const expected = model.nearest(query, filter, 20)
      assert.equal(ids(found), ids(expected))
      for (const [n, { score }] of found.entries()) {
        assert.ok(Math.abs(score - (1 + (expected[n]?.cosine ?? 0)) / 2) < 1e-5)
      }
    }
  }
})

test('a hidden row is found only by what is recent', () => {
  const vectors = table(2)
  const vector = Float32Array.of(1, 0)
  vectors.upsert(
    { id: 'r', place: place('w1', { itemId: 'f', hiddenBy: 'f' }), createdMs: 1 },
    vector,
  )
  assert.equal(ids(vectors.nearest(vector, { roots: ['w1', 'r', 'f'], recent: [] }, 9)), '')
  assert.equal(ids(vectors.nearest(vector, { roots: [], recent: ['f'] }, 9)), 'r')
  vectors.place('r', place('w1', { itemId: 'f' }))
  assert.equal(ids(vectors.nearest(vector, { roots: ['w1'], recent: [] }, 9)), 'r')
})

test('scores: 1 for the same direction, 0 for the opposite one', () => {
  const vectors = table(2)
  for (const [id, x] of [
    ['same', 1],
    ['opposite', -1],
  ] as const) {
    vectors.upsert({ id, place: place(), createdMs: 1 }, Float32Array.of(x, 0))
  }
  const found = vectors.nearest(Float32Array.of(1, 0), everywhere, 9)
  assert.deepEqual(found, [
    { id: 'same', score: 1 },
    { id: 'opposite', score: 0 },
  ])
})

test('rows beyond the exact ones are found with a small error, also after they moved', () => {
  const limits = { exactRowsMax: 100, rowsMax: 400 }
  const [vectors, model] = [table(64, limits), new Model()]
  for (let n = 0; n < 400; n++) {
    const row = { place: place(), createdMs: n, vector: unit(64) }
    vectors.upsert({ id: `r${n}`, ...row }, row.vector)
    model.rows.set(`r${n}`, row)
  }
  for (let n = 0; n < 200; n += 2) {
    vectors.remove(`r${n}`)
    model.rows.delete(`r${n}`)
  }
  for (let round = 0; round < 20; round++) {
    const query = unit(64)
    const exact = new Map(model.nearest(query, everywhere, 300).map((row) => [row.id, row.cosine]))
    const found = vectors.nearest(query, everywhere, 300)
    assert.equal(found.length, 300)
    for (const { id, score } of found) {
      assert.ok(Math.abs(score - (1 + (exact.get(id) ?? 9)) / 2) < 0.01)
    }
  }
})

test('a full table refuses new rows, and replaces old ones', () => {
  const vectors = table(2, { rowsMax: 1 })
  const vector = Float32Array.of(0, 1)
  vectors.upsert({ id: 'a', place: place(), createdMs: 1 }, vector)
  vectors.upsert({ id: 'a', place: place(), createdMs: 2 }, vector)
  const another = { id: 'b', place: place(), createdMs: 1 }
  assert.throws(() => vectors.upsert(another, vector), /more than 1 vectors/)
  vectors.remove('a')
  vectors.upsert(another, vector)
  assert.equal(ids(vectors.nearest(vector, everywhere, 9)), 'b')
})
