import type { EnvReader } from '@figbase/kit/config'

/** The settings of embedders; which ones count depends on `embedder`. */
export function readEmbedderConfig(env: EnvReader) {
  const config = {
    embedder: env.oneOf(
      'EMBEDDER',
      ['bundled', 'openai', 'local', 'none'],
      'bundled',
      'the model of semantic search; `none`: semantic search by words only; after a change, run `figbase-server reindex`',
    ),
    textCharsMax: env.positiveInt(
      'EMBEDDER_TEXT_CHARS_MAX',
      600,
      'maximum length of a text or query for the model, in characters; the rest does not count',
    ),
    rememberedTextsMax: env.positiveInt(
      'EMBEDDER_REMEMBERED_TEXTS_MAX',
      2000,
      'the vectors of so many of the last queries are kept in memory, and of so many of the last indexed texts',
    ),
    timeoutMs: env.duration(
      'EMBEDDER_TIMEOUT',
      '20s',
      'timeout for one request to the model, which may include loading it',
    ),
    concurrency: env.positiveInt(
      'EMBEDDER_CONCURRENCY',
      1,
      'processes of the bundled or local model for queries; there is one more for indexing',
    ),
    memoryBytesMax: env.bytes(
      'EMBEDDER_MEMORY_BYTES_MAX',
      '1GiB',
      'maximum memory of a process of the bundled or local model; if it takes more it is started again',
    ),
    url: env.url(
      'EMBEDDER_URL',
      '',
      'base URL of an API like that of OpenAI, for example `https://api.openai.com/v1`; for `openai`',
    ),
    key: env.text('EMBEDDER_KEY', '', 'key for that API; empty: none'),
    model: env.text('EMBEDDER_MODEL', 'text-embedding-3-small', 'name of the model in that API'),
    dimensions: env.positiveInt(
      'EMBEDDER_DIMENSIONS',
      1536,
      'how many numbers a vector of that model has; at most 8192',
    ),
    textsPerRequestMax: env.positiveInt(
      'EMBEDDER_TEXTS_PER_REQUEST_MAX',
      64,
      'maximum number of texts in a request to that API',
    ),
    attemptsMax: env.positiveInt(
      'EMBEDDER_ATTEMPTS_MAX',
      4,
      'maximum number of attempts of a request to that API that is overloaded or unavailable',
    ),
    retryDelayMs: env.duration(
      'EMBEDDER_RETRY_DELAY',
      '500ms',
      'delay before the second attempt; it doubles with each further one',
    ),
    dir: env.text(
      'EMBEDDER_DIR',
      '',
      'directory with a model like CLIP in ONNX, for texts and pictures; for `local`',
    ),
  }
  if (config.embedder === 'openai' && !config.url) {
    env.problems.push('EMBEDDER_URL is required with EMBEDDER=openai')
  }
  if (config.embedder === 'local' && !config.dir) {
    env.problems.push('EMBEDDER_DIR is required with EMBEDDER=local')
  }
  if (config.dimensions > 8192) env.problems.push('EMBEDDER_DIMENSIONS must be at most 8192')
  return config
}

export type EmbedderConfig = ReturnType<typeof readEmbedderConfig>
