import sharp from 'sharp'
import type { Distortion } from './distortions.js'
import { randomNumbers } from './random-numbers.js'

/** Marks that a program or publisher puts into a corner of a picture. */
export const marks: Distortion[] = [
  { name: 'QR code in a corner', apply: (picture, seed) => marked(picture, seed, 0.2, qrCode) },
  {
    name: 'watermark in a corner',
    apply: (picture, seed) => marked(picture, seed, 0.32, watermark),
  },
  { name: 'logo in a corner', apply: (picture, seed) => marked(picture, seed, 0.22, logo) },
]

type Drawing = (side: number, random: () => number) => string

/** Draws a mark in one of the corners. `part`: its width as a part of the shorter side. */
async function marked(picture: Buffer, seed: number, part: number, draw: Drawing) {
  const { width, height } = await sharp(picture).metadata()
  const random = randomNumbers(seed + 17)
  const side = Math.max(8, Math.round(Math.min(width, height) * part))
  const mark = Buffer.from(draw(side, random))
  const { data, info } = await sharp(mark).png().toBuffer({ resolveWithObject: true })
  const gap = Math.round(0.02 * Math.min(width, height))
  const left = random() < 0.5 ? gap : width - info.width - gap
  const top = random() < 0.5 ? gap : height - info.height - gap
  return sharp(picture)
    .composite([{ input: data, left: Math.max(0, left), top: Math.max(0, top) }])
    .png()
    .toBuffer()
}

const modules = 25

function qrCode(side: number, random: () => number) {
  const squares: string[] = []
  for (let y = 0; y < modules; y++)
    for (let x = 0; x < modules; x++)
      if (random() < 0.5) squares.push(`<rect x="${x + 2}" y="${y + 2}" width="1" height="1"/>`)
  const finders = [
    [2, 2],
    [modules - 5, 2],
    [2, modules - 5],
  ].map(
    ([x = 0, y = 0]) =>
      `<rect x="${x}" y="${y}" width="7" height="7"/><rect x="${x + 1}" y="${y + 1}" width="5" height="5" fill="#fff"/>
       <rect x="${x + 2}" y="${y + 2}" width="3" height="3"/>`,
  )
  const all = modules + 4
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="0 0 ${all} ${all}">
    <rect width="${all}" height="${all}" fill="#fff"/>${squares.join('')}${finders.join('')}</svg>`
}

function watermark(side: number, random: () => number) {
  const texts = ['© Figbase 2024', 'PREPRINT', 'draft – do not cite', 'example.org']
  const text = texts[Math.floor(random() * texts.length)] as string
  const height = Math.round(side / 4)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${height}" viewBox="0 0 160 40">
    <text x="80" y="27" font-size="20" font-family="sans-serif" text-anchor="middle" textLength="150"
      lengthAdjust="spacingAndGlyphs" fill="#777" fill-opacity="0.7">${text}</text></svg>`
}

function logo(side: number, random: () => number) {
  const hue = Math.floor(random() * 360)
  const height = Math.round(side * 0.7)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${height}" viewBox="0 0 100 70">
    <rect width="100" height="70" rx="12" fill="hsl(${hue},70%,45%)"/><circle cx="30" cy="35" r="18" fill="#fff"/>
    <path d="M58 15h30v10H70v10h16v10H70v14H58z" fill="#fff"/></svg>`
}
