import assert from 'node:assert/strict'
import { test } from 'node:test'
import { embedderContract } from './contract.js'
import type { Embedder } from './port.js'
import { remembering } from './remembering.js'
import { textsToEmbed } from './texts.js'
import { unitVector } from './unit-vector.js'

const signal = new AbortController().signal

/** Counts letters, and the calls. */
function countingEmbedder() {
  const calls: string[][] = []
  const embedder: Embedder = {
    model: 'letters',
    dimensions: 128,
    async embedTexts(texts) {
      calls.push(texts)
      return textsToEmbed(texts, 500).map((text) => {
        const counts = new Float32Array(128)
        for (const byte of Buffer.from(text)) counts[byte % 128] = (counts[byte % 128] ?? 0) + 1
        return unitVector(counts) ?? counts
      })
    },
    async [Symbol.asyncDispose]() {},
  }
  return { embedder, calls }
}

embedderContract('remembering', async () => remembering(countingEmbedder().embedder, 10))

test('remembering: embeds each text once, in any order and repetition', async () => {
  const { embedder, calls } = countingEmbedder()
  const remembered = remembering(embedder, 10)
  const [a, b] = await remembered.embedTexts(['a', 'b'], signal)
  assert.deepEqual(await remembered.embedTexts(['b', 'c', 'a', 'c'], signal), [
    b,
    ...(await embedder.embedTexts(['c'], signal)),
    a,
    ...(await embedder.embedTexts(['c'], signal)),
  ])
  assert.deepEqual(calls.slice(0, 2), [['a', 'b'], ['c']])
})

test('remembering: forgets the longest unused text, but not within a call', async () => {
  const { embedder, calls } = countingEmbedder()
  const remembered = remembering(embedder, 2)
  await remembered.embedTexts(['a', 'b'], signal)
  await remembered.embedTexts(['a', 'c'], signal)
  await remembered.embedTexts(['a'], signal)
  await remembered.embedTexts(['b'], signal)
  assert.deepEqual(calls, [['a', 'b'], ['c'], ['b']])
  assert.equal((await remembered.embedTexts(['x', 'y', 'z', 'x'], signal)).length, 4)
})

test('remembering: a failed call keeps nothing', async () => {
  const { embedder } = countingEmbedder()
  let isAvailable = false
  const failing: Embedder = {
    ...embedder,
    async embedTexts(texts, signal) {
      if (!isAvailable) throw new Error('unavailable')
      return embedder.embedTexts(texts, signal)
    },
  }
  const remembered = remembering(failing, 10)
  await assert.rejects(remembered.embedTexts(['a'], signal), /unavailable/)
  isAvailable = true
  assert.equal((await remembered.embedTexts(['a'], signal)).length, 1)
})
