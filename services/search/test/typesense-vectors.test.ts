import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { documentOf, everything } from '../src/engine/contract.js'
import { SearchUnavailable } from '../src/engine/port.js'
import { createTypesenseEngine } from '../src/engine/typesense/typesense-engine.js'
import { dimensions, vectorsContract } from '../src/vectors/contract.js'
import { startTypesenseServer } from './typesense-server.js'
import { settingsOf } from './typesense-settings.js'

const server = await startTypesenseServer()
after(async () => {
  await server[Symbol.asyncDispose]()
  assert.deepEqual([...new Set(server.problems)], [])
})

const engineOf = (model: string, length: number) => {
  const engine = createTypesenseEngine(settingsOf(server), async () => ({
    model,
    dimensions: length,
  }))
  const { nearest } = engine
  assert.ok(nearest)
  return { ...engine, nearest }
}
const engine = engineOf('a model', dimensions)
let generation = 0

async function nextGeneration() {
  await engine.create(++generation)
  await engine.publish(generation)
  return generation
}

vectorsContract('vectors on Typesense', async () => {
  const own = await nextGeneration()
  return {
    nearest: engine.nearest,
    write: async (documents) => assert.deepEqual(await engine.write(own, documents), new Map()),
    place: (objects) => engine.place(own, objects),
    remove: (ids) => engine.remove(own, ids),
  }
})

const vector = Float32Array.of(1, 0, 0, 0)

test('after a change of the model nothing is near until there is an index for it', async () => {
  const own = await nextGeneration()
  const document = documentOf({ name: 'apples' }, { vector })
  await engine.write(own, [document])
  const other = engineOf('another model', 2)
  assert.notEqual(await other.version(), await engine.version())
  const changed = { ...document, vector: Float32Array.of(0, 1) }
  // The live index cannot hold its vector, but takes the document.
  assert.deepEqual(await other.write(own, [changed]), new Map())
  assert.deepEqual(await other.nearest(changed.vector, everything, 10), [])
  await other.create(++generation)
  await other.write(generation, [changed])
  await other.publish(generation)
  const found = await other.nearest(changed.vector, everything, 10)
  assert.deepEqual(found, [{ id: document.id, score: 1 }])
})

test('at most 250 are found', async () => {
  const own = await nextGeneration()
  const documents = Array.from({ length: 260 }, () => documentOf({}, { vector }))
  await engine.write(own, documents)
  assert.equal((await engine.nearest(vector, everything, 500)).length, 250)
})

test('a vector of another length is rejected with its document only', async () => {
  const own = await nextGeneration()
  const [good, bad] = [vector, Float32Array.of(1)].map((one) => documentOf({}, { vector: one }))
  assert.ok(good && bad)
  const rejected = await engine.write(own, [bad, good])
  assert.deepEqual([...rejected.keys()], [bad.id])
  const found = await engine.nearest(vector, everything, 10)
  assert.deepEqual(
    found.map(({ id }) => id),
    [good.id],
  )
})

test('is unavailable without the server', async () => {
  await nextGeneration()
  await server.stop()
  await assert.rejects(engine.nearest(vector, everything, 1), SearchUnavailable)
  await server.restart()
})
