import type { Logger } from '@figbase/kit/log'
import type { Config } from '../config.js'
import type { Db } from '../db/schema.js'
import { type Embedders, openEmbedders } from '../embedding/open-embedders.js'
import type { FindNearest, SearchEngine } from '../engine/port.js'
import { createOcrPool, type OcrPool } from '../ocr/ocr-pool.js'
import { createPicturePool, type PicturePool } from '../pictures/picture-pool.js'
import type { KeptIndex } from './kept-index.js'
import { keptPictures } from './kept-pictures.js'
import { keptVectors } from './kept-vectors.js'
import type { PictureSearch } from './picture-search.js'

/** What searches by meaning and by pictures need: models, processes, and indexes in memory. */
export type Similar = AsyncDisposable & {
  /** Undefined with `EMBEDDER=none`. */
  embedders: Embedders | undefined
  /** In the engine if it holds vectors, otherwise in memory. */
  nearest: FindNearest
  /** Undefined with `OCR_ENABLED=false`. */
  ocr: OcrPool | undefined
  pictures: KeptIndex<PictureSearch>
  /** Describe pictures that are indexed, and those that are searched for. */
  describing: { indexing: PicturePool; queries: PicturePool }
  /** Begins to load the indexes, in the background. */
  start(): void
}

/** Nothing is read yet. Throws an EmbedderError if the files of a local model are incomplete. */
export async function openSimilar(
  cfg: Config,
  db: Db,
  log: Logger,
  engine: SearchEngine,
): Promise<Similar> {
  const embedders = await openEmbedders(cfg.embedding)
  const options = { ...cfg.similar, db, log }
  const kept =
    embedders && !engine.nearest
      ? keptVectors(
          embedders.queries.model,
          { ...cfg.vectors, dimensions: embedders.queries.dimensions },
          options,
        )
      : undefined
  const pictures = keptPictures(options)
  const ocr = cfg.ocr.isOcrEnabled ? createOcrPool(cfg.ocr) : undefined
  const describing = {
    indexing: createPicturePool({ ...cfg.pictures, pictureConcurrency: 1 }),
    queries: createPicturePool(cfg.pictures),
  }
  return {
    embedders,
    nearest:
      engine.nearest ??
      (async (vector, filter, k) =>
        (await kept?.use((index) => index.nearest(vector, filter, k))) ?? []),
    ocr,
    pictures,
    describing,
    start() {
      kept?.start()
      pictures.start()
    },
    async [Symbol.asyncDispose]() {
      const all = [embedders, kept, ocr, pictures, describing.indexing, describing.queries]
      await Promise.all(all.map((one) => one?.[Symbol.asyncDispose]()))
    },
  }
}
