import sharp from 'sharp'
import type { Figure } from './corpus.js'

const count = 24
const width = 480
const height = 360
const left = 60
const bottom = 310
const plotWidth = 390
const plotHeight = 260

/** Figures like those of plotting libraries, each as SVG and PNG: deterministic, and all different. */
export async function generatedFigures(): Promise<Figure[]> {
  const figures = await Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const drawing = Buffer.from(figure(n))
      const bitmap = await sharp(drawing).png().toBuffer()
      const name = `drawn-${String(n).padStart(2, '0')}`
      return [
        { name: `${name}.png`, bytes: bitmap },
        { name: `${name}.svg`, bytes: drawing },
      ]
    }),
  )
  return figures.flat()
}

const kinds = [bars, curve, points, cells]

function figure(n: number): string {
  const random = randomOf(n + 1)
  const draw = kinds[n % kinds.length] ?? bars
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">
<rect width="${width}" height="${height}" fill="#fff"/>
<text x="${width / 2}" y="28" text-anchor="middle" font-size="18">Series ${n + 1} of the stations</text>
${draw(random)}
<path d="M${left} ${bottom - plotHeight}V${bottom}H${left + plotWidth}" fill="none" stroke="#222"/>
<text x="${left + plotWidth / 2}" y="346" text-anchor="middle" font-size="14">month</text>
<text x="16" y="48" font-size="14">K</text>
</svg>`
}

function bars(random: () => number): string {
  const bars = 5 + Math.floor(random() * 6)
  const step = plotWidth / bars
  return many(bars, (n) => {
    const tall = plotHeight * (0.1 + 0.9 * random())
    return `<rect x="${left + n * step}" y="${bottom - tall}" width="${step * 0.8}" height="${tall}" fill="${shade(random)}"/>`
  })
}

function curve(random: () => number): string {
  const y = () => Math.round(bottom - plotHeight * random())
  const points = Array.from({ length: 9 }, (_, n) => `${left + (n * plotWidth) / 8} ${y()}`)
  const area = `M${left} ${bottom}L${points.join('L')}L${left + plotWidth} ${bottom}Z`
  return `<path d="${area}" fill="${shade(random)}"/>`
}

function points(random: () => number): string {
  return many(14, () => {
    const x = left + plotWidth * random()
    const y = bottom - plotHeight * random()
    return `<circle cx="${x}" cy="${y}" r="${12 + 28 * random()}" fill="${shade(random)}"/>`
  })
}

function cells(random: () => number): string {
  const side = 6
  return many(side * side, (n) => {
    const x = left + ((n % side) * plotWidth) / side
    const y = bottom - plotHeight + (Math.floor(n / side) * plotHeight) / side
    return `<rect x="${x}" y="${y}" width="${plotWidth / side}" height="${plotHeight / side}" fill="${shade(random)}"/>`
  })
}

const many = (count: number, draw: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => draw(n)).join('\n')

const shade = (random: () => number) =>
  `hsl(${Math.floor(360 * random())} 60% ${20 + Math.floor(50 * random())}%)`

/** A linear congruential generator, for the same numbers on each run. */
function randomOf(seed: number): () => number {
  let state = seed * 2_654_435_761
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  for (let n = 0; n < 8; n++) next()
  return next
}
