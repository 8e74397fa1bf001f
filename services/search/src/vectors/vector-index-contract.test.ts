import { after } from 'node:test'
import type { PlacedObject } from '../engine/port.js'
import { dimensions, vectorsContract } from './contract.js'
import { createVectorIndex, type VectorIndex } from './vector-index.js'

let index: VectorIndex | undefined
after(() => index?.[Symbol.asyncDispose]())

const placed = (object: PlacedObject) => ({ id: object.id, place: object })

vectorsContract('vectors in memory', async () => {
  await index?.[Symbol.asyncDispose]()
  const vectors = createVectorIndex({ dimensions, exactRowsMax: 1000, rowsMax: 1000 })
  index = vectors
  return {
    nearest: vectors.nearest,
    async write(documents) {
      const rows = documents.flatMap(({ vector, ...object }) =>
        vector ? [{ ...placed(object), createdMs: Date.parse(object.createdOn), vector }] : [],
      )
      await vectors.upsert(rows)
      await vectors.remove(documents.filter(({ vector }) => !vector).map(({ id }) => id))
    },
    place: (objects) => vectors.place(objects.map(placed)),
    remove: vectors.remove,
  }
})
