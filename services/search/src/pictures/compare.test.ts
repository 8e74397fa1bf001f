import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { barChart, figures, inWindow } from '../../test/drawings.js'
import { compare, comparer, sameFrom } from './compare.js'
import { describePicture, type PictureDescriptor } from './describe.js'

const describeAll = async (): Promise<Map<string, PictureDescriptor>> =>
  new Map(
    await Promise.all(
      Object.entries(figures).map(
        async ([name, draw]) => [name, await describePicture(await draw())] as const,
      ),
    ),
  )

/** A change, and the least score of a picture and its changed copy. */
const changes: [string, number, (picture: Buffer) => Promise<Buffer>][] = [
  ['none', 1, async (picture) => picture],
  ['half the size', 0.7, (picture) => sharp(picture).resize(200).png().toBuffer()],
  ['twice the size', sameFrom, (picture) => sharp(picture).resize(800).png().toBuffer()],
  ['JPEG', 0.7, (picture) => sharp(picture).jpeg({ quality: 40 }).toBuffer()],
  ['WebP', sameFrom, (picture) => sharp(picture).webp({ lossless: true }).toBuffer()],
  ['greyscale', sameFrom, (picture) => sharp(picture).greyscale().png().toBuffer()],
  ['inverted', sameFrom, (picture) => sharp(picture).negate({ alpha: false }).png().toBuffer()],
  ['margins', 0.8, (picture) => sharp(picture).extend(margin('#fff')).png().toBuffer()],
  ['dark margins', 0.8, (picture) => sharp(picture).extend(margin('#223')).png().toBuffer()],
  [
    'cropped',
    0.6,
    (picture) => sharp(picture).extract({ left: 40, top: 30, width: 320, height: 240 }).toBuffer(),
  ],
  ['turned', 0.6, (picture) => sharp(picture).rotate(2, { background: '#fff' }).png().toBuffer()],
  ['turned on black', 0.5, (picture) => sharp(picture).rotate(-2).png().toBuffer()],
  ['in a window', sameFrom, inWindow],
  [
    'marked in a corner',
    0.7,
    (picture) =>
      sharp(picture)
        .composite([{ input: checked, left: 330, top: 10 }])
        .png()
        .toBuffer(),
  ],
]

const margin = (background: string) => ({ left: 80, right: 80, top: 60, bottom: 60, background })
const checked = Buffer.from(
  `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="60"><rect width="60" height="60" fill="#fff"/>${Array.from(
    { length: 50 },
    (_, i) => `<rect x="${(i % 10) * 6}" y="${((i * 7) % 10) * 6}" width="5" height="5"/>`,
  ).join('')}</svg>`,
)

for (const [name, least, change] of changes) {
  test(`a picture is found again: ${name}`, async () => {
    const all = await describeAll()
    for (const [figure, draw] of Object.entries(figures)) {
      const copy = await describePicture(await change(await draw()))
      const scoreOf = comparer(copy)
      const own = scoreOf(all.get(figure) as PictureDescriptor)
      assert.ok(own >= least, `${figure}: ${own}`)
      for (const [other, descriptor] of all) {
        if (other === figure) continue
        const score = scoreOf(descriptor)
        assert.ok(score < own && score < sameFrom, `${figure} and ${other}: ${score}, ${own}`)
      }
    }
  })
}

test('a chart of the same form with other data is not the same', async () => {
  const values = [0.2, 0.5, 0.9, 0.4, 0.7, 0.3]
  const chart = await describePicture(await barChart(values))
  for (const [i, value] of values.entries()) {
    const other = await barChart(values.with(i, value > 0.5 ? value - 0.4 : value + 0.4))
    const score = compare(chart, await describePicture(other))
    assert.ok(score < sameFrom, `bar ${i}: ${score}`)
  }
})

test('the score is nearly the same in both directions', async () => {
  const all = [...(await describeAll()).values()]
  const turned = await describePicture(
    await sharp(await figures.bars())
      .rotate(2)
      .png()
      .toBuffer(),
  )
  for (const a of [...all, turned])
    for (const b of all) assert.ok(Math.abs(compare(a, b) - compare(b, a)) < 0.15)
})

test('descriptors of different versions cannot be compared', async () => {
  const picture = await describePicture(await figures.bars())
  assert.throws(() => compare(picture, { ...picture, version: 0 }), /different versions/)
})
