import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { figures } from '../../test/drawings.js'
import { describePicture } from './describe.js'
import { PictureError } from './picture-error.js'
import { createPicturePool, type PicturePoolOptions } from './picture-pool.js'

const options: PicturePoolOptions = {
  pictureConcurrency: 1,
  pictureTimeoutMs: 30_000,
  picturePixelsMax: 400 * 300,
  pictureBytesMax: 1024 * 1024,
  pictureMemoryBytesMax: 1024 ** 3,
}
const signal = new AbortController().signal

const isPictureError = (reason: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PictureError)
  assert.match(error.message, reason)
  return true
}

test('a child describes pictures as this process does', async () => {
  await using pool = createPicturePool(options)
  const picture = await figures.bars()
  assert.deepEqual(await pool.describe(picture, signal), await describePicture(picture))
})

test('a picture that cannot be described fails with the reason, and the next one works', async () => {
  await using pool = createPicturePool({ ...options, pictureBytesMax: 20_000 })
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
  await assert.rejects(pool.describe(svg, signal), isPictureError(/unsupported/))
  await assert.rejects(pool.describe(Buffer.alloc(20_001), signal), isPictureError(/too large/))
  await pool.describe(await figures.bars(), signal)
})

test('a child that takes too much time or memory is ended', async () => {
  const side = 6000
  const create = { width: side, height: side, channels: 3, background: '#fff' } as const
  const picture = await sharp({ create }).png().toBuffer()
  const limits = { ...options, picturePixelsMax: side * side }
  await using slow = createPicturePool({ ...limits, pictureTimeoutMs: 1 })
  await assert.rejects(slow.describe(picture, signal), isPictureError(/timed out/))
  await using large = createPicturePool({ ...limits, pictureMemoryBytesMax: 1 })
  // The memory is checked in intervals, so that one picture may come through.
  const describeMany = async () => {
    for (let n = 0; n < 100; n++) await large.describe(picture, signal)
  }
  await assert.rejects(describeMany, isPictureError(/cannot be described/))
})

test('an abort ends the work', async () => {
  await using pool = createPicturePool(options)
  const reason = new Error('stopped')
  await assert.rejects(pool.describe(await figures.bars(), AbortSignal.abort(reason)), reason)
})
