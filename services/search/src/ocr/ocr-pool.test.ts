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

/** Letters of straight lines, 6 wide and 10 high: machines may have no fonts. */
const letters: Record<string, string> = {
  E: 'M6,0H0V10H6M0,5H5',
  F: 'M6,0H0V10M0,5H5',
  H: 'M0,0V10M6,0V10M0,5H6',
  I: 'M3,0V10',
  L: 'M0,0V10H6',
  T: 'M0,0H6M3,0V10',
}
const drawn = (word: string) =>
  [...word].map((letter, n) => `<path transform="translate(${9 * n},0)" d="${letters[letter]}"/>`)

/** A chart with a title, and a label of the y axis that reads upwards. */
const chart = () =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200">
      <rect width="300" height="200" fill="white"/>
      <g stroke="#222" stroke-width="1.6" fill="none">
        <g transform="translate(100,15)">${drawn('LITTLE').join('')}</g>
        <g transform="translate(15,150) rotate(-90)">${drawn('FIFTH').join('')}</g>
        <path d="M40,40v140h240"/>
      </g>
    </svg>`),
  )
    .png()
    .toBuffer()

test('reads words of a chart, horizontal and upwards', async () => {
  const text = await pool.read(await chart(), signal)
  assert.match(text, /LITTLE/)
  assert.match(text, /FIFTH/)
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
  assert.match(await pool.read(png, signal), /LITTLE/)
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
