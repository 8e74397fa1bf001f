import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { before, test } from 'node:test'
import sharp from 'sharp'
import { configureSharp } from '../src/images/sharp.js'
import { usablePng } from '../src/images/usable-png.js'
import { withChunk } from './png-chunk.js'

const limits = { imagePixelsMax: 100_000_000, imageTimeoutMs: 10_000 }
before(() => configureSharp())

const noise = (width: number, height: number, channels: 3 | 4 = 3) =>
  sharp(randomBytes(width * height * channels), { raw: { width, height, channels } })
const exifHead = '49492a000800000001001201030001000000'
/** Adds an eXIf chunk with only the orientation. */
const turned = (png: Buffer, orientation: number) =>
  withChunk(png, 'eXIf', Buffer.from(`${exifHead}0${orientation}00000000000000`, 'hex'))
const pngOf = (width: number, height: number) => noise(width, height).png().toBuffer()

test('accepts a PNG that fits, is not animated and not damaged', async () => {
  const whole = await usablePng(await pngOf(60, 40), limits)
  assert.deepEqual([whole?.width, whole?.height, whole?.png], [60, 40, undefined])
  const others = [
    noise(1024, 3).png(),
    noise(9, 9, 4).png(),
    noise(9, 9).png({ palette: true }),
    noise(9, 9).png({ progressive: true }),
    noise(9, 9).greyscale().png(),
  ]
  for (const picture of others) {
    assert.ok(await usablePng(await picture.toBuffer(), limits))
  }
  const described = withChunk(await pngOf(9, 9), 'tEXt', Buffer.from('Software\0a plot'))
  assert.ok(await usablePng(described, limits))
  assert.ok(await usablePng(turned(described, 1), limits))
})

test('rejects a PNG that would be shown differently', async () => {
  const png = await pngOf(20, 10)
  const deep = Uint16Array.from({ length: 300 }, () => Math.random() * 65_536)
  const refused: [string, Buffer][] = [
    ['too wide', await pngOf(1025, 1)],
    ['too high', await pngOf(1, 1025)],
    ['too many bytes', withChunk(png, 'tEXt', Buffer.alloc(4 * 2 ** 20))],
    ['turned', turned(png, 6)],
    ['other colours', await noise(20, 10).withIccProfile('p3').png().toBuffer()],
    [
      'deep',
      await sharp(deep, { raw: { width: 10, height: 10, channels: 3 } })
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
    ],
    ['animated', withChunk(png, 'acTL', Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]))],
    ['followed by more', Buffer.concat([png, Buffer.from('<html>')])],
    ['a jpeg', await noise(20, 10).jpeg().toBuffer()],
    ['nothing', Buffer.alloc(0)],
  ]
  for (const [what, bytes] of refused) assert.equal(await usablePng(bytes, limits), undefined, what)
})

test('rejects a PNG that is cut off or damaged in any row', async () => {
  for (const progressive of [false, true]) {
    const png = await noise(20, 10).png({ progressive }).toBuffer()
    const dataAt = png.indexOf('IDAT') + 4
    const dataEnd = png.indexOf('IEND') - 8
    for (let at = dataAt; at < dataEnd; at++) {
      const damaged = Buffer.from(png)
      damaged[at] = ~(damaged[at] ?? 0) & 0xff
      assert.equal(await usablePng(damaged, limits), undefined, `damaged at ${at}`)
    }
    for (let length = 0; length < png.length; length++) {
      assert.equal(await usablePng(png.subarray(0, length), limits), undefined, `cut at ${length}`)
    }
  }
})

test('detects missing rows despite correct checksums', async () => {
  const [small, large] = [await pngOf(20, 10), await pngOf(20, 11)]
  // The header says eleven rows, the data has ten.
  const short = Buffer.concat([large.subarray(0, 33), small.subarray(33)])
  assert.equal(await usablePng(short, limits), undefined)
})
