import { once } from 'node:events'
import { ChildExited, ChildTimedOut, createProcessPool } from '@figbase/kit/processes'
import { type Embedder, EmbedderError } from './port.js'
import { textsToEmbed } from './texts.js'

/** A program of a child process that embeds. No texts: it only loads the model. */
export type EmbedRequest = { texts: string[] } | { png: Uint8Array }
export type EmbedReply = { vectors: Float32Array[] } | { problem: string }

export type ModelProgram = {
  /** A module that answers `EmbedRequest` with `EmbedReply`. */
  path: string
  /** Passed to it, with the memory limit. */
  options: object
  model: string
  dimensions: number
  canEmbedPictures: boolean
}

export type ChildEmbedderOptions = {
  concurrency: number
  /** For the first texts of a process, it includes loading the model. */
  timeoutMs: number
  memoryBytesMax: number
  textCharsMax: number
  /** Keeps the process when it is idle, so that a query never waits for the model to load. */
  isKeptWarm: boolean
}

/** So small that a query does not wait long behind other texts. */
const textsPerRequest = 4
/** Less than the time after which a pool ends an idle process. */
const warmMs = 10_000
/** A signal of a caller would end the process, and the next query would wait for the model to load. */
const never = new AbortController().signal

/** An embedder whose model runs in child processes with limits on memory and time. */
export function createChildEmbedder(
  { path, options, model, dimensions, canEmbedPictures }: ModelProgram,
  { concurrency, timeoutMs, memoryBytesMax, textCharsMax, isKeptWarm }: ChildEmbedderOptions,
): Embedder {
  const pool = createProcessPool<EmbedRequest, EmbedReply>({
    path,
    options: { ...options, memoryBytesMax },
    concurrency,
    timeoutMs,
  })
  async function embed(request: EmbedRequest) {
    const reply = await pool.ask(request, never).catch((cause: unknown) => {
      throw toEmbedderError(cause)
    })
    if ('problem' in reply) throw new EmbedderError(reply.problem, false)
    return reply.vectors
  }
  const keepWarm = () => void embed({ texts: [] }).catch(() => {})
  if (isKeptWarm) keepWarm()
  const warming = isKeptWarm ? setInterval(keepWarm, warmMs).unref() : undefined

  const embedder: Embedder = {
    model,
    dimensions,
    async embedTexts(texts, signal) {
      const bounded = textsToEmbed(texts, textCharsMax)
      const vectors: Float32Array[] = []
      for (let at = 0; at < bounded.length; at += textsPerRequest) {
        const some = bounded.slice(at, at + textsPerRequest)
        vectors.push(...(await untilAborted(() => embed({ texts: some }), signal)))
      }
      return vectors
    },
    async [Symbol.asyncDispose]() {
      clearInterval(warming)
      await pool[Symbol.asyncDispose]()
    },
  }
  if (!canEmbedPictures) return embedder
  return {
    ...embedder,
    async embedPicture(png, signal) {
      const [vector] = await untilAborted(() => embed({ png }), signal)
      if (!vector) throw new EmbedderError('the model returned no vector', false)
      return vector
    },
  }
}

/** The result of `work`, or the abort error of `signal`; work that has begun goes on. */
async function untilAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  const done = new AbortController()
  const aborted = once(signal, 'abort', { signal: done.signal }).then(() => {
    throw signal.reason
  })
  try {
    return await Promise.race([work(), aborted])
  } finally {
    done.abort()
  }
}

function toEmbedderError(cause: unknown) {
  if (cause instanceof ChildTimedOut) {
    return new EmbedderError('the model timed out', true, { cause })
  }
  if (cause instanceof ChildExited) {
    return new EmbedderError('the process of the model ended', true, { cause })
  }
  return cause
}
