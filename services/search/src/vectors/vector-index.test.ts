import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createVectorIndex } from './vector-index.js'

const options = { dimensions: 2, exactRowsMax: 100, rowsMax: 3 }
const place = { workspaceId: 'w', analysisId: null, itemId: null, hiddenBy: null }
const filter = { roots: ['w'], recent: [] }
const row = (id: string, x: number, y: number) => {
  return { id, place, createdMs: 1, vector: Float32Array.of(x, y) }
}

test('adds, finds, places and removes in the thread, in the order of the calls', async () => {
  await using index = createVectorIndex(options)
  const right = Float32Array.of(1, 0)
  const rows = [row('a', 1, 0), row('b', 0, 1)]
  const replies = await Promise.all([
    index.upsert(rows),
    index.nearest(right, filter, 5),
    index.place([{ id: 'a', place: { ...place, hiddenBy: 'a' } }]),
    index.nearest(right, filter, 5),
    index.remove(['b', 'unknown']),
    index.nearest(right, filter, 5),
  ])
  assert.deepEqual(replies[1], [
    { id: 'a', score: 1 },
    { id: 'b', score: 0.5 },
  ])
  assert.deepEqual(replies[3], [{ id: 'b', score: 0.5 }])
  assert.deepEqual(replies[5], [])
  assert.equal(index.size(), 1)
  // The vectors of the caller are still there.
  assert.deepEqual(rows[0]?.vector, right)
})

test('refuses vectors of another length and more rows than allowed, and goes on', async () => {
  await using index = createVectorIndex(options)
  const short = { ...row('a', 1, 0), vector: Float32Array.of(1) }
  await assert.rejects(index.upsert([short]), /1 instead of 2 numbers/)
  await assert.rejects(index.nearest(new Float32Array(3), filter, 1), /3 instead of 2 numbers/)
  const many = ['a', 'b', 'c', 'd'].map((id) => row(id, 1, 0))
  await assert.rejects(index.upsert(many), /more than 3 vectors/)
  assert.equal((await index.nearest(Float32Array.of(1, 0), filter, 9)).length, 3)
})

test('rejects calls after the end, and those that the end interrupts', async () => {
  const index = createVectorIndex(options)
  const interrupted = assert.rejects(index.upsert([row('a', 1, 0)]), /ended/)
  await index[Symbol.asyncDispose]()
  await interrupted
  await assert.rejects(index.remove(['a']), /ended/)
  await index[Symbol.asyncDispose]()
})
