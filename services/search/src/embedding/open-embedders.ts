import { createBundledEmbedder } from './bundled/bundled.js'
import type { EmbedderConfig } from './config.js'
import { createOpenAiEmbedder } from './openai/openai.js'
import type { Embedder } from './port.js'

/** Two, so that a query never waits for texts that are indexed. Both have the same model. */
export type Embedders = AsyncDisposable & {
  /** For queries; its process is kept. */
  queries: Embedder
  /** For indexing; its process ends when it is idle. */
  indexing: Embedder
}

/** Undefined with `EMBEDDER=none`. */
export function openEmbedders(config: EmbedderConfig): Embedders | undefined {
  const [queries, indexing] = create(config)
  if (!(queries && indexing)) return undefined
  return {
    queries,
    indexing,
    async [Symbol.asyncDispose]() {
      await Promise.all([queries[Symbol.asyncDispose](), indexing[Symbol.asyncDispose]()])
    },
  }
}

function create(config: EmbedderConfig): Embedder[] {
  switch (config.embedder) {
    case 'bundled':
      return [
        createBundledEmbedder({ ...config, isKeptWarm: true }),
        createBundledEmbedder({ ...config, concurrency: 1, isKeptWarm: false }),
      ]
    case 'openai':
      // Queries are not repeated: whoever waits can search by words.
      return [createOpenAiEmbedder({ ...config, attemptsMax: 1 }), createOpenAiEmbedder(config)]
    case 'local':
    case 'none':
      return []
  }
}
