import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { barChart, draw, figures } from '../../test/drawings.js'
import { compare, sameFrom } from './compare.js'
import { defaultLimits, describePicture, pictureVersion } from './describe.js'
import { PictureError } from './picture-error.js'

const blank = (width: number, height: number, background = '#fff') =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer()

test('a descriptor has a version and bounded sizes, and is always the same', async () => {
  const picture = await figures.bars()
  const descriptor = await describePicture(picture)
  assert.equal(descriptor.version, pictureVersion)
  assert.ok(descriptor.global.length <= 512)
  assert.ok(descriptor.local.length <= 32 * 1024)
  assert.deepEqual(await describePicture(picture), descriptor)
})

test('a screenshot of a window has bounded sizes, too', async () => {
  const { global } = await describePicture(await figures.bars())
  const bars = Array.from(
    { length: 6 },
    (_, i) => `<rect y="${12 * i}" width="400" height="12" fill="hsl(0,0%,${30 + 10 * i}%)"/>`,
  )
  const descriptor = await describePicture(
    await draw(`${bars.join('')}<circle cx="200" cy="190" r="60"/><path d="M150 80H250"/>`),
  )
  assert.equal(descriptor.global.length, global.length)
  assert.ok(descriptor.local.length <= 32 * 1024)
})

const unusual: [string, () => Promise<Buffer>][] = [
  ['1 x 1', () => blank(1, 1)],
  ['white', () => blank(300, 200)],
  ['black', () => blank(300, 200, '#000')],
  ['one row', () => blank(3000, 1, '#777')],
  ['one column', () => blank(1, 3000, '#777')],
  [
    'very wide',
    async () =>
      sharp(await figures.bars())
        .resize(6000, 12, { fit: 'fill' })
        .toBuffer(),
  ],
  [
    'very high',
    async () =>
      sharp(await figures.bars())
        .resize(8, 4000, { fit: 'fill' })
        .toBuffer(),
  ],
  [
    '16 bit',
    async () =>
      sharp(await figures.bars())
        .toColourspace('rgb16')
        .png()
        .toBuffer(),
  ],
  [
    'CMYK',
    async () =>
      sharp(await figures.bars())
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer(),
  ],
  [
    'grey with alpha',
    async () =>
      sharp(await figures.bars())
        .greyscale()
        .ensureAlpha(0.5)
        .png()
        .toBuffer(),
  ],
  [
    'palette',
    async () =>
      sharp(await figures.bars())
        .png({ palette: true })
        .toBuffer(),
  ],
]
for (const [name, make] of unusual) {
  test(`an unusual picture is described: ${name}`, async () => {
    const descriptor = await describePicture(await make())
    assert.equal(compare(descriptor, descriptor), 1)
  })
}

for (const [name, change] of Object.entries({
  '16 bit': (picture: Buffer) => sharp(picture).toColourspace('rgb16').png().toBuffer(),
  CMYK: (picture: Buffer) => sharp(picture).toColourspace('cmyk').tiff().toBuffer(),
  GIF: (picture: Buffer) => sharp(picture).gif().toBuffer(),
})) {
  test(`the same picture in another encoding is the same: ${name}`, async () => {
    const picture = await figures.line()
    const [a, b] = [await describePicture(picture), await describePicture(await change(picture))]
    const score = compare(a, b)
    assert.ok(score >= 0.75, `${score}`)
  })
}

test('only the first frame of an animation is described', async () => {
  const first = await figures.bars()
  const frames = await sharp([first, await figures.line()], { join: { animated: true } })
    .webp({ lossless: true, loop: 0, delay: [100, 100] })
    .toBuffer()
  assert.equal((await sharp(frames).metadata()).pages, 2)
  const score = compare(await describePicture(frames), await describePicture(first))
  assert.ok(score >= sameFrom, `${score}`)
})

test('a transparent picture is the same as on its background, light or dark', async () => {
  const shape = (colour: string, background: string) =>
    draw(
      `<path d="M60 240L150 60L230 200L330 90" stroke="${colour}" stroke-width="8" fill="none"/>`,
      background,
    )
  const onWhite = await describePicture(await shape('#222', '#fff'))
  for (const colour of ['#222', '#f5f5f5']) {
    const transparent = await describePicture(await shape(colour, 'none'))
    assert.ok(compare(transparent, onWhite) >= sameFrom, colour)
  }
})

test('the orientation of a photo is applied', async () => {
  const picture = await figures.bars()
  const turned = await sharp(picture).rotate(90).withMetadata({ orientation: 8 }).png().toBuffer()
  const score = compare(await describePicture(turned), await describePicture(picture))
  assert.ok(score >= sameFrom, `${score}`)
})

const isRefused = (input: Buffer, reason: RegExp, limits = defaultLimits) =>
  assert.rejects(describePicture(input, limits), (error) => {
    assert.ok(error instanceof PictureError)
    assert.match(error.message, reason)
    return true
  })

test('what cannot be decoded is refused', async () => {
  const picture = await barChart([0.5])
  await isRefused(Buffer.from('no picture'), /unsupported or invalid/)
  await isRefused(Buffer.alloc(0), /unsupported or invalid|damaged/)
  await isRefused(picture.subarray(0, picture.length / 2), /damaged/)
})

test('a picture with too many pixels or bytes is refused', async () => {
  const picture = await barChart([0.5])
  await isRefused(picture, /too many pixels/, { ...defaultLimits, picturePixelsMax: 400 * 300 - 1 })
  await isRefused(picture, /too large/, { ...defaultLimits, pictureBytesMax: picture.length - 1 })
  await describePicture(picture, { picturePixelsMax: 400 * 300, pictureBytesMax: picture.length })
})
