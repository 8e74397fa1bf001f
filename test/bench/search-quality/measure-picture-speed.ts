import { comparer, describePicture, PictureIndex } from '@figbase/search/pictures'
import sharp from 'sharp'
import { median } from '../measure.js'
import { randomNumbers } from './random-numbers.js'

/** Medians in ms. `candidates`: of a picture that is not in the index, which is the slowest case. */
export type PictureSpeed = {
  pictures: number
  candidatesMs: number
  compare50Ms: number
  describeMs: number
}

const rounds = 21
const candidateCount = 50

/** Measures generated pictures: `pictures` random descriptors in the index, and 50 drawn ones to compare with. */
export async function measurePictureSpeed(pictures = 100_000): Promise<PictureSpeed> {
  const drawings = await Promise.all(Array.from({ length: candidateCount }, (_, i) => chart(i)))
  const descriptors = await Promise.all(drawings.map((drawing) => describePicture(drawing)))
  const [first] = descriptors
  const [drawing] = drawings
  if (!first || !drawing) throw new Error('nothing to compare')

  const random = randomNumbers(1)
  const randomGlobal = () => {
    const global = Buffer.from(first.global.map(() => Math.floor(256 * random())))
    // Half of the bits of two random descriptors differ. None of them is a screenshot.
    global.writeUInt32LE(0, 0)
    return global
  }
  const index = new PictureIndex()
  for (let i = 0; i < pictures; i++) index.set(`${i}`, randomGlobal())

  return {
    pictures,
    candidatesMs: await time(() => index.candidates(randomGlobal(), candidateCount)),
    compare50Ms: await time(() => {
      const scoreOf = comparer(first)
      for (const descriptor of descriptors) scoreOf(descriptor)
    }),
    describeMs: await time(() => describePicture(drawing)),
  }
}

async function time(run: () => unknown): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await run()
    times.push(performance.now() - start)
  }
  return median(times)
}

/** A bar chart whose axes are those of the others. */
function chart(seed: number) {
  const random = randomNumbers(seed)
  const bars = Array.from({ length: 12 }, (_, i) => {
    const height = 20 + 230 * random()
    return `<rect x="${55 + 28 * i}" y="${270 - height}" width="22" height="${height}" fill="#4c78a8"/>`
  })
  const lines = [0, 1, 2, 3, 4, 5].map((i) => `<path d="M50 ${270 - 50 * i}H400" stroke="#ddd"/>`)
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="420" height="300"><rect width="420" height="300" fill="#fff"/>
        ${lines.join('')}${bars.join('')}<path d="M50 10V270H400" stroke="#333" fill="none"/></svg>`,
    ),
  )
    .png()
    .toBuffer()
}
