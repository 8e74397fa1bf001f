import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import { embedderContract } from '../contract.js'
import { type Embedder, EmbedderError } from '../port.js'
import { type EmbeddingServer, sendJson, startEmbeddingServer } from './embedding-server.js'
import { createOpenAiEmbedder } from './openai.js'

const signal = new AbortController().signal
let server: EmbeddingServer
before(async () => {
  server = await startEmbeddingServer()
})
after(() => server[Symbol.asyncDispose]())
beforeEach(() => {
  server.requests.length = 0
  server.next.length = 0
})

const open = (options = {}): Embedder =>
  createOpenAiEmbedder({
    url: server.url,
    key: 'secret-key',
    model: 'model-1',
    dimensions: 64,
    timeoutMs: 60_000,
    textsPerRequestMax: 8,
    textCharsMax: 500,
    attemptsMax: 3,
    retryDelayMs: 1,
    ...options,
  })

embedderContract('openai', async () => open())

test('openai: sends the texts in batches, with the model and the key', async () => {
  const texts = Array.from({ length: 20 }, (_, n) => `text ${n}`)
  await open().embedTexts(texts, signal)
  assert.deepEqual(
    server.requests.map(({ input }) => input.length),
    [8, 8, 4],
  )
  assert.deepEqual(
    server.requests.flatMap(({ input }) => input),
    texts,
  )
  assert.equal(server.requests[0]?.model, 'model-1')
  assert.equal(server.requests[0]?.authorization, 'Bearer secret-key')
})

test('openai: repeats what may pass, a limited number of times', async () => {
  const busy = (status: number) => (response: Parameters<typeof sendJson>[0]) =>
    sendJson(response, status, {}, { 'retry-after': '0' })
  server.next.push(busy(429), (response) => response.destroy())
  assert.equal((await open().embedTexts(['a'], signal)).length, 1)
  assert.equal(server.requests.length, 3)

  server.next.push(busy(500), busy(503), busy(502))
  await assert.rejects(open().embedTexts(['a'], signal), isError(/responded with 502/, true))
  assert.equal(server.requests.length, 6)
})

test('openai: does not repeat what is refused, and no error contains the key', async () => {
  const failure = await open({ key: 'secret-key-2' })
    .embedTexts(['a'], signal)
    .catch((error: unknown) => error)
  assert.ok(isError(/responded with 400/, false)(failure))
  assert.doesNotMatch(inspect(failure), /secret/)
  assert.equal(server.requests.length, 1)
})

test('openai: follows no redirection', async () => {
  server.next.push((response) => sendJson(response, 307, {}, { location: '/v1/embeddings' }))
  await assert.rejects(open({ attemptsMax: 1 }).embedTexts(['a'], signal), isError(/reached/, true))
  assert.equal(server.requests.length, 1)
})

test('openai: a server that does not respond times out', async () => {
  server.next.push(() => {})
  const embedder = open({ timeoutMs: 50, attemptsMax: 1 })
  await assert.rejects(embedder.embedTexts(['a'], signal), isError(/timed out/, true))
})

test('openai: the signal of the caller ends a request and the wait before another', async () => {
  for (const answer of [
    () => {},
    (response: Parameters<typeof sendJson>[0]) =>
      sendJson(response, 429, {}, { 'retry-after': '3600' }),
  ]) {
    const caller = new AbortController()
    const reason = new Error('no longer needed')
    server.next.push((response) => {
      answer(response)
      setTimeout(() => caller.abort(reason), 20)
    })
    await assert.rejects(open().embedTexts(['a'], caller.signal), reason)
  }
})

test('openai: checks the response', async () => {
  const vector = Array<number>(64).fill(1)
  const bodies: [unknown, RegExp][] = [
    [[], /no `data`/],
    [{ data: [] }, /0 vectors for 1 texts/],
    [{ data: [{ index: 1, embedding: vector }] }, /the index 1/],
    [{ data: [{ index: 0, embedding: 'AAAA' }] }, /not an array/],
    [{ data: [{ index: 0, embedding: [1, 2] }] }, /2 instead of 64 numbers; set EMBEDDER_DIM/],
    [{ data: [{ index: 0, embedding: vector.fill(0) }] }, /without a direction/],
    [{ data: [{ index: 0, embedding: ['1', ...vector.slice(1)] }] }, /without a direction/],
    [{ data: 'x'.repeat(200_000) }, /too large/],
  ]
  for (const [body, problem] of bodies) {
    server.next.push((response) => sendJson(response, 200, body))
    await assert.rejects(open().embedTexts(['a'], signal), isError(problem, false))
  }
  server.next.push((response) => response.end('<html>'))
  await assert.rejects(open().embedTexts(['a'], signal), isError(/no JSON/, false))
  assert.equal(server.requests.length, bodies.length + 1)
})

function isError(message: RegExp, isTemporary: boolean) {
  return (error: unknown) =>
    error instanceof EmbedderError &&
    message.test(error.message) &&
    error.isTemporary === isTemporary
}
