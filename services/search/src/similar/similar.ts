import type { Config } from '../config.js'
import type { Db } from '../db/schema.js'
import { type Embedders, openEmbedders } from '../embedding/open-embedders.js'
import { createOcrPool, type OcrPool } from '../ocr/ocr-pool.js'
import { createPicturePool, type PicturePool } from '../pictures/picture-pool.js'
import { createVectorIndex } from '../vectors/vector-index.js'
import { createPictureSearch } from './picture-search.js'
import { SimilarFigures } from './similar-figures.js'

/** What searches by meaning and by pictures need: models, processes, and indexes in memory. */
export type Similar = AsyncDisposable & {
  /** Undefined with `EMBEDDER=none`. */
  embedders: Embedders | undefined
  /** Undefined with `OCR_ENABLED=false`. */
  ocr: OcrPool | undefined
  /** For pictures that are indexed, and for those that are searched for. */
  pictures: { indexing: PicturePool; queries: PicturePool }
  figures: SimilarFigures
}

/** Nothing is read yet. Throws an EmbedderError if the files of a local model are incomplete. */
export async function openSimilar(cfg: Config, db: Db): Promise<Similar> {
  const embedders = await openEmbedders(cfg.embedding)
  const { model, dimensions } = embedders?.queries ?? {}
  const vectors = dimensions ? createVectorIndex({ ...cfg.vectors, dimensions }) : undefined
  const figures = new SimilarFigures(db, { vectors, pictures: createPictureSearch(), model })
  const ocr = cfg.ocr.isOcrEnabled ? createOcrPool(cfg.ocr) : undefined
  const pictures = {
    indexing: createPicturePool({ ...cfg.pictures, pictureConcurrency: 1 }),
    queries: createPicturePool(cfg.pictures),
  }
  return {
    embedders,
    ocr,
    pictures,
    figures,
    async [Symbol.asyncDispose]() {
      await Promise.all([
        embedders?.[Symbol.asyncDispose](),
        ocr?.[Symbol.asyncDispose](),
        pictures.indexing[Symbol.asyncDispose](),
        pictures.queries[Symbol.asyncDispose](),
        figures[Symbol.asyncDispose](),
      ])
    },
  }
}
