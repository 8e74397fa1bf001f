import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type EmbeddingRequest = { model: string; input: string[]; authorization: string }
export type EmbeddingServer = AsyncDisposable & {
  url: string
  /** The requests so far. */
  requests: EmbeddingRequest[]
  /** Responds to the next requests instead of the server, one after the other. */
  next: ((response: ServerResponse) => void)[]
}

const dimensions = 64

/** A server with the embeddings endpoint as documented by OpenAI; texts with common words have similar vectors. */
export async function startEmbeddingServer(): Promise<EmbeddingServer> {
  const requests: EmbeddingRequest[] = []
  const next: EmbeddingServer['next'] = []
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    requests.push({ ...body, authorization: request.headers.authorization ?? '' })
    const instead = next.shift()
    if (instead) return instead(response)
    const problem = problemOf(request, body)
    if (problem) return sendJson(response, 400, { error: { message: problem } })
    const data = body.input.map((text: string, index: number) => {
      return { object: 'embedding', index, embedding: vectorOf(text) }
    })
    sendJson(response, 200, {
      object: 'list',
      // In another order: clients must use the index.
      data: data.reverse(),
      model: body.model,
      usage: { prompt_tokens: 1, total_tokens: 1 },
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    next,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function problemOf({ method, url, headers }: IncomingMessage, body: Record<string, unknown>) {
  if (method !== 'POST' || url !== '/v1/embeddings') return 'unknown endpoint'
  if (headers['content-type'] !== 'application/json') return 'unknown content type'
  if (headers.authorization !== 'Bearer secret-key') return 'unknown key'
  const { model, input, encoding_format: format, ...others } = body
  if (typeof model !== 'string' || Object.keys(others).length > 0) return 'invalid fields'
  if (format !== 'float') return 'invalid format'
  const isText = (each: unknown) => typeof each === 'string' && each !== ''
  return Array.isArray(input) && input.length > 0 && input.every(isText) ? '' : 'invalid input'
}

async function bodyOf(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return JSON.parse(Buffer.concat(chunks).toString())
}

function vectorOf(text: string) {
  const vector = Array<number>(dimensions).fill(0)
  for (const word of text.split(' ')) {
    const at = (createHash('sha256').update(word).digest()[0] ?? 0) % dimensions
    vector[at] = (vector[at] ?? 0) + 1
  }
  return vector
}
