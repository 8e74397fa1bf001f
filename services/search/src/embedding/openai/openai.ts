import { setTimeout as sleep } from 'node:timers/promises'
import { withDeadline } from '@figbase/kit/timing'
import { type Embedder, EmbedderError } from '../port.js'
import { textsToEmbed } from '../texts.js'
import { type Endpoint, requestVectors } from './request-vectors.js'

export type OpenAiEmbedderOptions = Endpoint & {
  dimensions: number
  /** Of one request. */
  timeoutMs: number
  textsPerRequestMax: number
  textCharsMax: number
  /** Of one request, the first one included. */
  attemptsMax: number
  /** Before the second attempt; it doubles with each further one. */
  retryDelayMs: number
}

/** No server makes a call wait longer than this between two attempts. */
const retryDelayMaxMs = 30_000

/** A server with the embeddings endpoint of the API of OpenAI, which many other servers have too. */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { dimensions, textsPerRequestMax } = options
  return {
    model: `openai/${options.model}/${options.dimensions}`,
    dimensions,
    async embedTexts(texts, signal) {
      const bounded = textsToEmbed(texts, options.textCharsMax)
      const vectors: Float32Array[] = []
      for (let at = 0; at < bounded.length; at += textsPerRequestMax) {
        const some = bounded.slice(at, at + textsPerRequestMax)
        vectors.push(...(await requestWithRetries(some, options, signal)))
      }
      signal.throwIfAborted()
      return vectors
    },
    async [Symbol.asyncDispose]() {},
  }
}

/** Repeats requests that failed for a reason that may pass. */
async function requestWithRetries(
  texts: string[],
  options: OpenAiEmbedderOptions,
  signal: AbortSignal,
) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await withDeadline(signal, options.timeoutMs, (until) =>
        requestVectors(texts, options, until),
      )
    } catch (error) {
      signal.throwIfAborted()
      const isRepeated = error instanceof EmbedderError && error.isTemporary
      if (!isRepeated || attempt >= options.attemptsMax) throw error
      await sleep(retryDelayMs(error, attempt, options), undefined, { signal }).catch(() => {})
      signal.throwIfAborted()
    }
  }
}

/** What the server asked for; otherwise a growing delay, of which a random half is left out. */
function retryDelayMs(
  error: EmbedderError,
  attempt: number,
  { retryDelayMs }: OpenAiEmbedderOptions,
) {
  const grown = retryDelayMs * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)
  return Math.min(retryDelayMaxMs, error.retryAfterMs ?? grown)
}
