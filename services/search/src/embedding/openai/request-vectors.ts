import { fetchUntil } from '@figbase/kit/net'
import { EmbedderError } from '../port.js'
import { parseVectors } from './parse-vectors.js'

export type Endpoint = {
  /** The base of the API: `/embeddings` is added. */
  url: string
  /** Sent as a bearer token; empty: none. Never part of an error. */
  key: string
  model: string
  dimensions: number
}

/** More than a number takes as JSON. */
const bytesPerNumber = 32
const bytesPerReply = 64 * 1024

/** One request. Throws an EmbedderError, also when `signal` aborts. */
export async function requestVectors(
  texts: string[],
  endpoint: Endpoint,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const { url, key, model, dimensions } = endpoint
  const response = await fetchUntil(signal)(`${url}/embeddings`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key && { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({ model, input: texts, encoding_format: 'float' }),
  }).catch((cause: unknown) => {
    throw unavailable(cause, signal)
  })
  if (!response.ok) {
    await response.body?.cancel().catch(() => {})
    throw refused(response)
  }
  const bytesMax = bytesPerReply + texts.length * dimensions * bytesPerNumber
  const body = await readBody(response, bytesMax).catch((cause: unknown) => {
    throw cause instanceof EmbedderError ? cause : unavailable(cause, signal)
  })
  return parseVectors(body, texts.length, dimensions)
}

function unavailable(cause: unknown, signal: AbortSignal) {
  const what = signal.aborted ? 'timed out' : 'cannot be reached'
  return new EmbedderError(`the embedding server ${what}`, true, { cause })
}

function refused({ status, headers }: Response) {
  const isTemporary = status === 408 || status === 429 || status >= 500
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const retryAfterMs = seconds >= 0 ? 1000 * seconds : undefined
  return new EmbedderError(`the embedding server responded with ${status}`, isTemporary, {
    retryAfterMs,
  })
}

async function readBody(response: Response, bytesMax: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > bytesMax)
      throw new EmbedderError('the response of the embedding server is too large', false)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
