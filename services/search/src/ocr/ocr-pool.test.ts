import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import { OcrError } from './ocr-error.js'
import { createOcrPool } from './ocr-pool.js'

const options = {
  ocrConcurrency: 1,
  ocrTimeoutMs: 60_000,
  ocrMemoryBytesMax: 2 ** 30,
  ocrSourcePixelsMax: 1_000_000,
  ocrPixelsMax: 2_000_000,
  ocrConfidenceMin: 60,
  ocrTextCharsMax: 1000,
}
const signal = new AbortController().signal
const pool = createOcrPool(options)
after(() => pool[Symbol.asyncDispose]())

const isOcrError = (reason: RegExp) => (error: unknown) =>
  error instanceof OcrError && reason.test(error.message)

/** A chart with a title, and a label of the y axis that reads upwards. */
const chart = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">
      <rect width="300" height="200" fill="white"/>
      <g font-family="sans-serif" font-size="13" fill="#333">
        <text x="100" y="20">Penguins</text>
        <text transform="translate(20,150) rotate(-90)">Weight</text>
      </g>
      <path d="M40,30v150h240" stroke="black" fill="none"/>
    </svg>`),
  )
    .png()
    .toBuffer()

test('reads words of a chart, horizontal and upwards', async () => {
  const text = await pool.read(await chart(), signal)
  assert.match(text, /Penguins/)
  assert.match(text, /Weight/)
})

test('a picture without text has none, whatever its size', async () => {
  for (const [width, height] of [
    [1, 1],
    [3000, 2],
  ] as const) {
    const create = { width, height, channels: 4 as const, background: 'transparent' }
    assert.equal(await pool.read(await sharp({ create }).png().toBuffer(), signal), '')
  }
})

test('damaged, other and too large pictures fail with a reason, and the process goes on', async () => {
  const png = await chart()
  const create = { width: 2000, height: 2000, channels: 3 as const, background: 'white' }
  const large = await sharp({ create }).png().toBuffer()
  const jpeg = await sharp(png).jpeg().toBuffer()
  for (const picture of [Buffer.from('text'), png.subarray(0, png.length / 2), large, jpeg]) {
    await assert.rejects(pool.read(picture, signal), isOcrError(/damaged or too large/))
  }
  assert.match(await pool.read(png, signal), /Penguins/)
})

test('a process that takes too much memory or time fails with a reason', async () => {
  await using small = createOcrPool({ ...options, ocrMemoryBytesMax: 2 ** 20 })
  await assert.rejects(small.read(await chart(), signal), isOcrError(/^text recognition failed$/))
  await using short = createOcrPool({ ...options, ocrTimeoutMs: 1 })
  await assert.rejects(short.read(await chart(), signal), isOcrError(/timed out/))
})

test('an aborted signal ends the recognition', async () => {
  const aborted = AbortSignal.abort(new Error('no longer needed'))
  await assert.rejects(pool.read(await chart(), aborted), /no longer needed/)
})
