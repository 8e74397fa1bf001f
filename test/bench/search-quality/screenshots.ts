import sharp from 'sharp'
import type { Distortion } from './distortions.js'
import { randomNumbers } from './random-numbers.js'

/** How a browser window looks around a picture. All lengths are in pixels. */
type Window = {
  page: string
  bar: string
  ink: string
  barHeight: number
  /** From the edge of the page to the picture. */
  padding: number
  border: number
  hasText: boolean
}

/** Screenshots of a browser window that shows the picture. */
export const screenshots: Distortion[] = [
  {
    name: 'screenshot, light window',
    apply: (picture, seed) =>
      screenshot(picture, seed, { ...light, barHeight: 72, padding: 24, border: 0 }),
  },
  {
    name: 'screenshot, no padding',
    apply: (picture, seed) =>
      screenshot(picture, seed, { ...light, barHeight: 48, padding: 0, border: 1 }),
  },
  {
    name: 'screenshot, dark window',
    apply: (picture, seed) =>
      screenshot(picture, seed, { ...dark, barHeight: 80, padding: 30, border: 2 }),
  },
  {
    name: 'screenshot, dark bar, white page',
    apply: (picture, seed) =>
      screenshot(picture, seed, {
        ...dark,
        page: '#ffffff',
        barHeight: 60,
        padding: 40,
        border: 3,
      }),
  },
  {
    name: 'screenshot, page with text',
    apply: (picture, seed) =>
      screenshot(picture, seed, { ...light, barHeight: 64, padding: 40, border: 0, hasText: true }),
  },
]

const light = { page: '#ffffff', bar: '#dee1e6', ink: '#3c4043', hasText: false }
const dark = { page: '#1b1c1f', bar: '#35363a', ink: '#e8eaed', hasText: false }

async function screenshot(picture: Buffer, seed: number, window: Window) {
  const random = randomNumbers(seed + 5)
  const { width, height } = await sharp(picture).metadata()
  const { border, padding, barHeight } = window
  const textHeight = window.hasText ? 70 : 0
  const left = border + Math.round(padding * (1 + random()))
  const right = border + Math.round(padding * (1 + random()))
  const all = {
    width: Math.max(260, left + width + right),
    height: barHeight + textHeight + 2 * padding + height + textHeight + border,
  }
  const frame = Buffer.from(drawing(window, all, random))
  return sharp(frame)
    .composite([{ input: picture, left, top: barHeight + textHeight + padding }])
    .flatten()
    .png()
    .toBuffer()
}

function drawing(window: Window, all: { width: number; height: number }, random: () => number) {
  const { page, bar, ink, barHeight, border, hasText } = window
  const { width, height } = all
  const half = barHeight / 2
  const lines = hasText ? [barHeight + 34, barHeight + 54, height - 48, height - 28] : []
  const words =
    'Results of the second experiment, as shown in the figure below and in the supplement'
  const dots = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, i) => `<circle cx="${18 + 20 * i}" cy="${half * 0.55}" r="6" fill="${colour}"/>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif">
    <rect width="${width}" height="${height}" fill="${bar}"/>
    <rect x="${border}" y="${barHeight}" width="${width - 2 * border}" height="${height - barHeight - border}" fill="${page}"/>
    ${dots.join('')}
    <rect x="90" y="4" width="140" height="${half - 4}" rx="6" fill="${page}"/>
    <text x="100" y="${half * 0.7}" font-size="12" fill="${ink}">Figure ${Math.floor(random() * 100)}</text>
    <rect x="60" y="${half + 3}" width="${width - 90}" height="${half - 8}" rx="8" fill="${page}" fill-opacity="0.8"/>
    <text x="74" y="${half * 1.65}" font-size="12" fill="${ink}">example.org/figures/${Math.floor(random() * 1e6)}</text>
    ${lines.map((y) => `<text x="30" y="${y}" font-size="14" fill="${ink}">${words.slice(Math.floor(random() * 20))}</text>`).join('')}
  </svg>`
}
