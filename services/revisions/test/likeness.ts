import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { likenessOf } from '../src/images/likeness.js'
import { pictureOf } from '../src/images/picture.js'
import { distanceMax } from '../src/processing/choose-figure.js'
import { corpusFigures } from './corpus.js'

const limits = { imagePixelsMax: 2 ** 27, imageTimeoutMs: 30_000 }
const hashOf = async (bytes: Buffer) => likenessOf((await pictureOf(bytes, limits)).png)
const apart = (a: bigint, b: bigint) =>
  BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length

/** What becomes of a picture on its way. */
const forms: Record<string, (bytes: Buffer) => Promise<Buffer>> = {
  'JPEG of quality 80': (bytes) => onWhite(bytes).jpeg({ quality: 80 }).toBuffer(),
  'half the size': (bytes) => scaled(bytes, 0.5),
  'three times the size': (bytes) => scaled(bytes, 3),
}
const onWhite = (bytes: Buffer) => sharp(bytes).flatten({ background: '#fff' })
async function scaled(bytes: Buffer, factor: number) {
  const { width } = await sharp(bytes).metadata()
  return sharp(bytes)
    .resize(Math.round(width * factor))
    .png()
    .toBuffer()
}

const figures = new Map((await corpusFigures(1000)).map(({ name, bytes }) => [name, bytes]))
const bitmaps = [...figures.keys()].filter((name) => name.endsWith('.png'))
const bytesOf = (name: string) => figures.get(name) ?? assert.fail(`there is no ${name}`)

/** Each `step`th picture in its other forms is compared with all of the corpus. */
export function testLikeness(step: number): void {
  describe('likeness of the figures of the corpus', () => {
    const tried = bitmaps.filter((_, index) => index % step === 0)
    const hashes = new Map<string, bigint>()
    before(async () => {
      for (const name of bitmaps) hashes.set(name, await hashOf(bytesOf(name)))
    })

    /** How many of the figures that are nearest to a picture in its other form are the right one. */
    async function found(formOf: (name: string) => Promise<Buffer>, names: string[]) {
      const count = { near: 0, own: 0, wrong: 0 }
      for (const name of names) {
        const hash = await hashOf(await formOf(name))
        const all = [...hashes].map(([other, its]) => ({ other, distance: apart(hash, its) }))
        const nearest = Math.min(...all.map(({ distance }) => distance))
        const at = all.filter(({ distance }) => distance === nearest && distance <= distanceMax)
        const own = hashes.get(name)
        if (own !== undefined && apart(hash, own) <= distanceMax) count.near++
        if (at.length === 1) count[at[0]?.other === name ? 'own' : 'wrong']++
      }
      return count
    }

    for (const [title, make] of Object.entries(forms)) {
      test(`${title}: a picture finds its own figure, and no other`, async (t) => {
        const { near, own, wrong } = await found(async (name) => make(bytesOf(name)), tried)
        t.diagnostic(`${title}: of ${tried.length}, ${near} near, ${own} found, ${wrong} wrong`)
        assert.ok(near >= 0.9 * tried.length, `${near} are near`)
        assert.ok(own >= 0.8 * tried.length, `${own} are found`)
        assert.ok(wrong <= 0.02 * tried.length, `${wrong} find another`)
      })
    }

    test('a drawing finds the figure that was published as a bitmap', async (t) => {
      const drawn = tried.filter((name) => figures.has(name.replace(/png$/, 'svg')))
      assert.ok(drawn.length > 5)
      const draw = async (name: string) => bytesOf(name.replace(/png$/, 'svg'))
      const { near, own, wrong } = await found(draw, drawn)
      t.diagnostic(`drawn again: of ${drawn.length}, ${near} near, ${own} found, ${wrong} wrong`)
      assert.ok(near >= 0.9 * drawn.length, `${near} are near`)
      assert.ok(wrong <= 0.02 * drawn.length, `${wrong} find another`)
    })

    test('few figures are taken for one another', (t) => {
      const all = [...hashes.values()]
      const pairs = all.flatMap((one, index) =>
        all.slice(index + 1).map((other) => apart(one, other)),
      )
      const alike = pairs.filter((distance) => distance <= distanceMax).length
      t.diagnostic(`${alike} of ${pairs.length} pairs of different figures are near`)
      assert.ok(alike <= 0.006 * pairs.length)
    })
  })
}
