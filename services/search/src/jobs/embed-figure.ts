import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { meanVector } from '../embedding/mean-vector.js'
import { EmbedderError } from '../embedding/port.js'
import { insertChanges } from '../queries/changes.js'
import { readPassages, saveVector } from '../queries/likenesses.js'
import { embedFigureName, type LikenessJob } from './likeness-names.js'

/** Makes the vector of a figure revision. Texts that the model refuses are recorded, and not tried again. */
export const embedFigure: Job<Ctx, LikenessJob> = defineJob<Ctx, LikenessJob>({
  ...embedFigureName,
  timeoutMs: 120_000,
  concurrencyMax: 2,
  async run({ db, engine, indexer, similar }, { id }, signal) {
    const { embedders } = await similar
    const found = await readPassages(db, id)
    if (!embedders || !found) return
    const { model } = embedders.indexing
    const saved = { id, hash: found.hash, model }
    try {
      const vectors = await embedders.indexing.embedTexts(found.passages, signal)
      const mean = meanVector(vectors)
      const vector = mean ? Buffer.from(mean.buffer, mean.byteOffset, mean.byteLength) : null
      await saveVector(db, { ...saved, vector, problem: null })
      if (!engine.nearest) return
      // The engine gets it with the document.
      await insertChanges(db, [id])
      indexer.wake()
    } catch (error) {
      if (!(error instanceof EmbedderError) || error.isTemporary) throw error
      await saveVector(db, { ...saved, vector: null, problem: error.message })
    }
  },
})
