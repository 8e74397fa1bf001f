import { createBundledEmbedder } from './bundled/bundled.js'
import type { EmbedderConfig } from './config.js'
import { createLocalEmbedder } from './local/local.js'
import { createOpenAiEmbedder } from './openai/openai.js'
import type { Embedder } from './port.js'
import { remembering } from './remembering.js'

/** Two, so that a query never waits for texts that are indexed. Both have the same model. */
export type Embedders = AsyncDisposable & {
  /** For queries; its process is kept. */
  queries: Embedder
  /** For indexing; its process ends when it is idle. */
  indexing: Embedder
}

/** Undefined with `EMBEDDER=none`. Throws an EmbedderError if the files of a local model are incomplete. */
export async function openEmbedders(config: EmbedderConfig): Promise<Embedders | undefined> {
  const [queries, indexing] = (await create(config)).map((embedder) =>
    remembering(embedder, config.rememberedTextsMax),
  )
  if (!(queries && indexing)) return undefined
  return {
    queries,
    indexing,
    async [Symbol.asyncDispose]() {
      await Promise.all([queries[Symbol.asyncDispose](), indexing[Symbol.asyncDispose]()])
    },
  }
}

async function create(config: EmbedderConfig): Promise<Embedder[]> {
  const forQueries = { ...config, isKeptWarm: true }
  const forIndexing = { ...config, concurrency: 1, isKeptWarm: false }
  switch (config.embedder) {
    case 'bundled':
      return [createBundledEmbedder(forQueries), createBundledEmbedder(forIndexing)]
    case 'openai':
      // Queries are not repeated: whoever waits can search by words.
      return [createOpenAiEmbedder({ ...config, attemptsMax: 1 }), createOpenAiEmbedder(config)]
    case 'local':
      return [
        await createLocalEmbedder(config.dir, forQueries),
        await createLocalEmbedder(config.dir, forIndexing),
      ]
    case 'none':
      return []
  }
}
