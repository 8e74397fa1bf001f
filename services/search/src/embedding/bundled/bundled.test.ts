import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { embedderContract } from '../contract.js'
import { EmbedderError } from '../port.js'
import { createBundledEmbedder } from './bundled.js'

const options = {
  concurrency: 1,
  timeoutMs: 60_000,
  memoryBytesMax: 2 ** 30,
  textCharsMax: 600,
  isKeptWarm: true,
}
const embedder = createBundledEmbedder(options)
after(() => embedder[Symbol.asyncDispose]())

embedderContract('bundled', async () => embedder)

test('bundled: a process that takes too much memory is killed, with a temporary error', async () => {
  await using small = createBundledEmbedder({
    ...options,
    memoryBytesMax: 2 ** 20,
    isKeptWarm: false,
  })
  await assert.rejects(
    small.embedTexts(['bar chart'], new AbortController().signal),
    (error) => error instanceof EmbedderError && error.isTemporary,
  )
})

test('bundled: an aborted call rejects at once, and the next one is answered', async () => {
  const signal = new AbortController().signal
  const aborted = new AbortController()
  const call = embedder.embedTexts(['bar chart'], aborted.signal)
  const next = embedder.embedTexts(['map'], signal)
  const reason = new Error('no longer needed')
  aborted.abort(reason)
  await assert.rejects(call, reason)
  assert.equal((await next).length, 1)
})
