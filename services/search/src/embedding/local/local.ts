import { fileURLToPath } from 'node:url'
import { type ChildEmbedderOptions, createChildEmbedder } from '../child-embedder.js'
import type { Embedder } from '../port.js'
import { readModelFiles } from './model-files.js'

const path = fileURLToPath(new URL('./local-program.js', import.meta.url))

/**
 * A model like CLIP from a directory, which embeds texts and pictures in one space. It runs in child processes by
 * `@huggingface/transformers`, which must be installed beside it; see `loadTransformers`. Throws an EmbedderError if the
 * directory is incomplete.
 */
export async function createLocalEmbedder(
  dir: string,
  options: ChildEmbedderOptions,
): Promise<Embedder> {
  const files = await readModelFiles(dir)
  const { model, dimensions } = files
  return createChildEmbedder(
    { path, options: files, model, dimensions, canEmbedPictures: true },
    options,
  )
}
