import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import type { FindNearest, IndexedDocument, PlacedObject } from '../engine/port.js'

/** The length of the vectors. */
export const dimensions = 4

export type VectorsUnderTest = {
  nearest: FindNearest
  /** Adds or replaces. */
  write(documents: IndexedDocument[]): Promise<void>
  place(objects: PlacedObject[]): Promise<void>
  remove(ids: string[]): Promise<void>
}

const workspace = randomUUID()
const everything = { roots: [workspace], recent: [] }
const query = Float32Array.of(1, 0, 0, 0)

/** A unit vector with this cosine to the query. */
const at = (cosine: number) => Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2), 0, 0)

const revision = (
  vector: Float32Array | undefined,
  members: Partial<IndexedDocument> = {},
): IndexedDocument => ({
  ...{ id: randomUUID(), type: 'figure_revision', workspaceId: workspace, analysisId: null },
  ...{ itemId: randomUUID(), hiddenBy: null, createdOn: '2026-01-01T00:00:00.000Z' },
  ...{ fields: {}, vector },
  ...members,
})

/** What every holder of vectors must do. `open` returns an empty one. */
export function vectorsContract(name: string, open: () => Promise<VectorsUnderTest>): void {
  let vectors: VectorsUnderTest
  beforeEach(async () => {
    vectors = await open()
  })
  const find = async (filter: { roots: string[]; recent: string[] } = everything, k = 10) =>
    (await vectors.nearest(query, filter, k)).map(({ id }) => id)
  const write = async (...documents: IndexedDocument[]) => {
    await vectors.write(documents)
    return documents.map(({ id }) => id)
  }

  test(`${name}: the nearest come first, with their cosine mapped to 0 to 1`, async () => {
    assert.deepEqual(await find(), [])
    const cosines = [-1, 0.5, 1, 0]
    const [opposite, near, same, square] = await write(...cosines.map((one) => revision(at(one))))
    const found = await vectors.nearest(query, everything, 10)
    assert.deepEqual(
      found.map(({ id }) => id),
      [same, near, square, opposite],
    )
    const scores = found.map(({ score }) => Math.round(score * 1e5) / 1e5)
    assert.deepEqual(scores, [1, 0.75, 0.5, 0])
    assert.ok(found.every(({ score }) => score >= 0 && score <= 1))
  })

  test(`${name}: among equals the newest come first, then by id`, async () => {
    const ids = [randomUUID(), randomUUID()].sort()
    const createdOn = '2026-02-01T00:00:00.000Z'
    const [second, first] = ids
    await write(
      revision(at(0.5)),
      revision(at(0.5), { id: first ?? '', createdOn }),
      revision(at(0.5), { id: second ?? '', createdOn }),
    )
    assert.deepEqual((await find()).slice(0, 2), ids)
  })

  test(`${name}: k are found although nearer ones are not allowed`, async () => {
    const foreign = Array.from({ length: 20 }, () => revision(at(1), { workspaceId: randomUUID() }))
    const hidden = Array.from({ length: 20 }, () => revision(at(1), { hiddenBy: workspace }))
    await write(...foreign, ...hidden)
    const own = await write(revision(at(0.3)), revision(at(0.2)), revision(at(0.1)))
    assert.deepEqual(await find(), own)
    assert.deepEqual(await find(everything, 2), own.slice(0, 2))
    assert.deepEqual(await find(everything, 0), [])
    assert.deepEqual(await find({ roots: [], recent: [] }), [])
    assert.deepEqual(await find({ roots: [randomUUID()], recent: [] }), [])
    const [one] = hidden
    assert.deepEqual(await find({ roots: [], recent: [one?.itemId ?? ''] }), [one?.id])
  })

  test(`${name}: found below each object of the place, and where it was moved`, async () => {
    const [analysisId, itemId, moved] = [randomUUID(), randomUUID(), randomUUID()]
    const document = revision(at(0.5), { analysisId, itemId })
    const [id = ''] = await write(document)
    for (const root of [workspace, analysisId, itemId, id])
      assert.deepEqual(await find({ roots: [root], recent: [] }), [id])
    await vectors.place([{ ...document, workspaceId: moved }, revision(undefined)])
    assert.deepEqual(await find(), [])
    assert.deepEqual(await find({ roots: [moved], recent: [] }), [id])
    await vectors.place([{ ...document, hiddenBy: itemId }])
    assert.deepEqual(await find(), [])
    await vectors.place([document])
    assert.deepEqual(await find(), [id])
  })

  test(`${name}: replaced, without a vector, and removed`, async () => {
    const documents = [revision(at(0.9)), revision(at(0.5)), revision(undefined)]
    const [first = '', second = ''] = await write(...documents)
    assert.deepEqual(await find(), [first, second])
    await write({ ...revision(at(0.1)), id: first })
    assert.deepEqual(await find(), [second, first])
    await write({ ...revision(undefined), id: first })
    assert.deepEqual(await find(), [second])
    await vectors.remove([second, randomUUID()])
    assert.deepEqual(await find(), [])
  })

  test(`${name}: a query of another length is refused`, async () => {
    await assert.rejects(vectors.nearest(Float32Array.of(1, 0), everything, 1), /2 instead of 4/)
  })
}
