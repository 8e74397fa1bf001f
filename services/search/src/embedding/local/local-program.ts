import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import type { EmbedReply, EmbedRequest } from '../child-embedder.js'
import { unitVector } from '../unit-vector.js'
import type { LocalModel } from './model-files.js'
import { loadTransformers, modelName, type Transformers } from './transformers.js'

/** The program of a child process that embeds texts and pictures with the towers of a directory. */
const { memoryBytesMax, dir, dtype, dimensions } = optionsOfParent<
  LocalModel & { memoryBytesMax: number }
>()
const name = modelName(dir)
const loading = loadTransformers(dir).then(async (library) => ({
  library,
  embedTexts: await loadTexts(library),
}))
loading.catch(() => {})
/** Loaded with the first picture, because most processes embed texts only. */
let loadingPictures: ReturnType<typeof loadPictures> | undefined

answerParent<EmbedRequest, EmbedReply>(memoryBytesMax, async (request) => {
  try {
    const { library, embedTexts } = await loading
    if ('texts' in request) return { vectors: await embedTexts(request.texts) }
    loadingPictures ??= loadPictures(library)
    return { vectors: await (await loadingPictures)(request.png) }
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
})

async function loadTexts({ AutoTokenizer, CLIPTextModelWithProjection }: Transformers) {
  const tokenizer = await AutoTokenizer.from_pretrained(name)
  const options = { dtype, model_file_name: 'text_model' }
  const model = await CLIPTextModelWithProjection.from_pretrained(name, options)
  return async (texts: string[]) => {
    if (texts.length === 0) return []
    const { text_embeds } = await model(tokenizer(texts, { padding: true, truncation: true }))
    return rowsOf(text_embeds, texts.length)
  }
}

async function loadPictures(library: Transformers) {
  const { AutoProcessor, CLIPVisionModelWithProjection, RawImage } = library
  const processor = await AutoProcessor.from_pretrained(name)
  const options = { dtype, model_file_name: 'vision_model' }
  const model = await CLIPVisionModelWithProjection.from_pretrained(name, options)
  return async (png: Uint8Array) => {
    const picture = await RawImage.fromBlob(new Blob([Buffer.from(png)]))
    const { image_embeds } = await model(await processor(picture))
    return rowsOf(image_embeds, 1)
  }
}

function rowsOf({ data }: { data: Float32Array }, count: number): Float32Array[] {
  if (data.length !== count * dimensions)
    throw new Error('the vectors of the model have another length')
  return Array.from({ length: count }, (_, n) => {
    const vector = unitVector(data.subarray(n * dimensions, (n + 1) * dimensions))
    if (!vector) throw new Error('a vector of the model has no direction')
    return vector
  })
}
