import sharp from 'sharp'
import { randomNumbers } from '../search-quality/random-numbers.js'

const [width, height] = [640, 440]
const [left, right, top, bottom] = [60, 610, 20, 390]

/** A chart of bars, lines or points, the same one for the same seed, as PNG. */
export function chart(seed: number): Promise<Buffer> {
  const random = randomNumbers(seed + 1)
  const lines = 3 + Math.floor(4 * random())
  const grid = Array.from({ length: lines }, (_, n) => {
    const y = top + ((bottom - top) * n) / lines
    return `<path d="M${left} ${y}H${right}" stroke="#ddd"/>`
  })
  const marks = [bars, line, points][seed % 3]?.(random) ?? ''
  return sharp(
    Buffer.from(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
        <rect width="${width}" height="${height}" fill="#fff"/>${grid.join('')}${marks}
        <path d="M${left} ${top}V${bottom}H${right}" stroke="#333" fill="none"/></svg>`,
    ),
  )
    .png()
    .toBuffer()
}

function bars(random: () => number): string {
  const count = 5 + Math.floor(20 * random())
  const step = (right - left) / count
  return Array.from({ length: count }, (_, n) => {
    const y = bottom - (bottom - top) * random()
    return `<rect x="${left + n * step + 3}" y="${y}" width="${step - 6}" height="${bottom - y}" fill="#4c78a8"/>`
  }).join('')
}

function line(random: () => number): string {
  const count = 10 + Math.floor(40 * random())
  const step = (right - left) / count
  let y = (top + bottom) / 2
  const path = Array.from({ length: count + 1 }, (_, n) => {
    y = Math.min(bottom, Math.max(top, y + 120 * (random() - 0.5)))
    return `${left + n * step} ${y}`
  })
  return `<path d="M${path.join('L')}" stroke="#e45756" stroke-width="2" fill="none"/>`
}

function points(random: () => number): string {
  const [tilt, spread] = [random() - 0.5, 30 + 150 * random()]
  return Array.from({ length: 40 + Math.floor(150 * random()) }, () => {
    const x = left + (right - left) * random()
    const y = (top + bottom) / 2 + tilt * (x - (left + right) / 2) + spread * (random() - 0.5)
    return `<circle cx="${x}" cy="${Math.min(bottom, Math.max(top, y))}" r="4" fill="#54a24b"/>`
  }).join('')
}
