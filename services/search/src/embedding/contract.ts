import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Embedder } from './port.js'

const close = 'a scatter plot of engine power and fuel use'
const texts = ['scatter plot of horsepower and fuel economy', 'map of airports', close]

/** What every embedder must do. `open` may return the same one each time: its owner ends it. */
export function embedderContract(name: string, open: () => Promise<Embedder>): void {
  const signal = new AbortController().signal

  test(`${name}: has one vector of length 1 for each text, in order`, async () => {
    const embedder = await open()
    assert.match(embedder.model, /\S/)
    const vectors = await embedder.embedTexts(texts, signal)
    assert.equal(vectors.length, texts.length)
    for (const vector of vectors) {
      assert.ok(vector instanceof Float32Array)
      assert.equal(vector.length, embedder.dimensions)
      assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5)
    }
    const [reversed] = await embedder.embedTexts([...texts].reverse(), signal)
    assert.ok(cosine(at(vectors, 2), reversed as Float32Array) > 0.999)
  })

  test(`${name}: a text has the same vector alone and among many`, async () => {
    const embedder = await open()
    const [alone] = await embedder.embedTexts([close], signal)
    const many = await embedder.embedTexts(Array<string>(40).fill('map').concat(close), signal)
    assert.equal(many.length, 41)
    assert.ok(cosine(alone as Float32Array, at(many, 40)) > 0.999)
  })

  test(`${name}: texts of similar meaning are closer than others`, async () => {
    const vectors = await (await open()).embedTexts(texts, signal)
    const similar = cosine(at(vectors, 0), at(vectors, 2))
    assert.ok(similar > cosine(at(vectors, 0), at(vectors, 1)))
  })

  test(`${name}: accepts no texts, blank, long and unusual texts`, async () => {
    const embedder = await open()
    assert.deepEqual(await embedder.embedTexts([], signal), [])
    const unusual = ['', ' \n', 'x'.repeat(100_000), 'Δψm 😀 \u{0} 漢字', 'a b '.repeat(50_000)]
    const vectors = await embedder.embedTexts(unusual, signal)
    assert.equal(vectors.length, unusual.length)
    for (const vector of vectors) assert.ok(Math.abs(cosine(vector, vector) - 1) < 1e-5)
  })

  test(`${name}: an aborted signal ends the call`, async () => {
    const embedder = await open()
    const reason = new Error('no longer needed')
    await assert.rejects(embedder.embedTexts(texts, AbortSignal.abort(reason)))
    assert.equal((await embedder.embedTexts(texts, signal)).length, texts.length)
  })
}

const cosine = (a: Float32Array, b: Float32Array) =>
  a.reduce((sum, value, n) => sum + value * (b[n] ?? 0), 0)

function at(vectors: Float32Array[], n: number) {
  const vector = vectors[n]
  assert.ok(vector)
  return vector
}
