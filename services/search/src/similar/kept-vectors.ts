import { floatsOf } from '../queries/likenesses.js'
import { listChangedVectors } from '../queries/loaded-likenesses.js'
import { createVectorIndex, type VectorIndex } from '../vectors/vector-index.js'
import type { VectorTableOptions } from '../vectors/vector-table.js'
import { KeptIndex, type KeptOptions } from './kept-index.js'

/** The vectors of a model in memory. */
export const keptVectors = (
  model: string,
  table: VectorTableOptions,
  options: KeptOptions,
): KeptIndex<VectorIndex> =>
  new KeptIndex(
    {
      name: 'vectors',
      open: () => createVectorIndex(table),
      read: (db, after, limit) => listChangedVectors(db, model, after, limit),
      put: (index, rows) =>
        index.upsert(rows.map(({ content, ...row }) => ({ ...row, vector: floatsOf(content) }))),
    },
    options,
  )
