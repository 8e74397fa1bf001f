import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

type Tensor = { data: Float32Array; dims: number[] }
type Options = { dtype?: string; model_file_name?: string }
type Loader<T> = { from_pretrained(model: string, options?: Options): Promise<T> }

/** The parts of `@huggingface/transformers` that are used. */
export type Transformers = {
  env: {
    allowRemoteModels: boolean
    allowLocalModels: boolean
    localModelPath: string
    useFSCache: boolean
  }
  AutoTokenizer: Loader<(texts: string[], options: object) => object>
  AutoProcessor: Loader<(picture: object) => Promise<object>>
  CLIPTextModelWithProjection: Loader<(inputs: object) => Promise<{ text_embeds: Tensor }>>
  CLIPVisionModelWithProjection: Loader<(inputs: object) => Promise<{ image_embeds: Tensor }>>
  RawImage: { fromBlob(blob: Blob): Promise<object> }
}

/**
 * Loads the library from the directory of the model, from the folders above it, or from where Figbase is, for files of
 * this directory only: nothing is downloaded. Throws an Error that says how to install it.
 */
export async function loadTransformers(dir: string): Promise<Transformers> {
  const library = await import(pathToFileURL(find(dir)).href)
  const transformers: Transformers = library.env ? library : library.default
  transformers.env.allowRemoteModels = false
  transformers.env.allowLocalModels = true
  transformers.env.localModelPath = dirname(dir)
  transformers.env.useFSCache = false
  return transformers
}

/** The name of the model for the library. */
export const modelName = (dir: string): string => basename(dir)

function find(dir: string): string {
  for (const from of [join(dir, 'model'), import.meta.url]) {
    try {
      return createRequire(from).resolve('@huggingface/transformers')
    } catch {
      // Not there.
    }
  }
  throw new Error(
    `EMBEDDER=local needs a library: run 'npm install --prefix ${dir} @huggingface/transformers@4'`,
  )
}
