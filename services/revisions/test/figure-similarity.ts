import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import sharp from 'sharp'
import { imageHash } from '../src/images/image-hash.js'
import { pictureOf } from '../src/images/picture.js'
import { distanceMax } from '../src/processing/choose-figure.js'
import { corpusFigures } from './corpus.js'

const limits = { imagePixelsMax: 2 ** 27, imageTimeoutMs: 30_000 }
const hashOf = async (bytes: Buffer) => imageHash((await pictureOf(bytes, limits)).png)
const distanceOf = (a: bigint, b: bigint) =>
  BigInt.asUintN(64, a ^ b)
    .toString(2)
    .replaceAll('0', '').length

/** Conversions that a picture may go through. */
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
const bytesOf = (name: string) => figures.get(name) ?? assert.fail(`unknown figure ${name}`)

/** Compares each `step`th picture, converted, with the whole corpus. */
export function testSimilarity(step: number): void {
  describe('similarity of the figures of the corpus', () => {
    const tried = bitmaps.filter((_, index) => index % step === 0)
    const hashes = new Map<string, bigint>()
    before(async () => {
      for (const name of bitmaps) hashes.set(name, await hashOf(bytesOf(name)))
    })

    /** Counts for how many pictures the nearest figure is the right one. */
    async function countMatches(formOf: (name: string) => Promise<Buffer>, names: string[]) {
      const count = { near: 0, own: 0, wrong: 0 }
      for (const name of names) {
        const hash = await hashOf(await formOf(name))
        const all = [...hashes].map(([other, its]) => ({ other, distance: distanceOf(hash, its) }))
        const nearest = Math.min(...all.map(({ distance }) => distance))
        const at = all.filter(({ distance }) => distance === nearest && distance <= distanceMax)
        const own = hashes.get(name)
        if (own !== undefined && distanceOf(hash, own) <= distanceMax) count.near++
        if (at.length === 1) count[at[0]?.other === name ? 'own' : 'wrong']++
      }
      return count
    }

    for (const [title, make] of Object.entries(forms)) {
      test(`${title}: a picture matches only its own figure`, async (t) => {
        const { near, own, wrong } = await countMatches(async (name) => make(bytesOf(name)), tried)
        t.diagnostic(
          `${title}: ${tried.length} pictures, ${near} within the distance, ${own} matched, ${wrong} mismatched`,
        )
        assert.ok(near >= 0.9 * tried.length, `${near} within the distance`)
        assert.ok(own >= 0.8 * tried.length, `${own} matched`)
        assert.ok(wrong <= 0.02 * tried.length, `${wrong} mismatched`)
      })
    }

    test('a vector image matches the figure that was published as a bitmap', async (t) => {
      const vectors = tried.filter((name) => figures.has(name.replace(/png$/, 'svg')))
      assert.ok(vectors.length > 5)
      const vectorOf = async (name: string) => bytesOf(name.replace(/png$/, 'svg'))
      const { near, own, wrong } = await countMatches(vectorOf, vectors)
      t.diagnostic(
        `rendered again: ${vectors.length} pictures, ${near} within the distance, ${own} matched, ${wrong} mismatched`,
      )
      assert.ok(near >= 0.9 * vectors.length, `${near} within the distance`)
      assert.ok(wrong <= 0.02 * vectors.length, `${wrong} mismatched`)
    })

    test('few different figures match', (t) => {
      const all = [...hashes.values()]
      const pairs = all.flatMap((one, index) =>
        all.slice(index + 1).map((other) => distanceOf(one, other)),
      )
      const alike = pairs.filter((distance) => distance <= distanceMax).length
      t.diagnostic(`${alike} of ${pairs.length} pairs of different figures are within the distance`)
      assert.ok(alike <= 0.006 * pairs.length)
    })
  })
}
