import sharp from 'sharp'
import { marks } from './marks.js'
import { randomNumbers } from './random-numbers.js'
import { screenshots } from './screenshots.js'

/** Changes a picture as its users do. The same seed makes the same change. */
export type Distortion = { name: string; apply(picture: Buffer, seed: number): Promise<Buffer> }

const white = '#ffffff'

export const distortions: Distortion[] = [
  { name: 'resize 25 %', apply: (picture) => resized(picture, 0.25) },
  { name: 'resize 50 %', apply: (picture) => resized(picture, 0.5) },
  { name: 'resize 200 %', apply: (picture) => resized(picture, 2) },
  { name: 'JPEG quality 40', apply: (picture) => flat(picture).jpeg({ quality: 40 }).toBuffer() },
  { name: 'WebP', apply: (picture) => sharp(picture).webp().toBuffer() },
  { name: 'WebP quality 40', apply: (picture) => sharp(picture).webp({ quality: 40 }).toBuffer() },
  { name: 'crop 10 % each side', apply: (picture) => cropped(picture, [0.1, 0.1, 0.1, 0.1]) },
  {
    name: 'crop 4 to 12 % each side',
    apply(picture, seed) {
      const random = randomNumbers(seed)
      return cropped(
        picture,
        [0, 0, 0, 0].map(() => 0.04 + 0.08 * random()),
      )
    },
  },
  { name: 'margins 20 %', apply: (picture) => withMargins(picture, 0.2, 0.2, white) },
  {
    name: 'uneven margins, any colour',
    apply(picture, seed) {
      const random = randomNumbers(seed)
      const colour = [white, '#f4f1ea', '#20242b', '#7f8c9b'][Math.floor(4 * random())] as string
      return withMargins(picture, 0.3 * random(), 0.3 * random(), colour)
    },
  },
  ...screenshots,
  { name: 'greyscale', apply: (picture) => flat(picture).greyscale().png().toBuffer() },
  ...marks,
  { name: 'rotated 2°', apply: (picture) => rotated(picture, 2, white) },
  { name: 'rotated -2°', apply: (picture) => rotated(picture, -2, white) },
  { name: 'rotated 2° on black', apply: (picture) => rotated(picture, 2, '#000000') },
  { name: 'inverted', apply: (picture) => flat(picture).negate({ alpha: false }).png().toBuffer() },
  { name: 'dark theme', apply: (picture) => onBackground(picture, [34, 38, 46], true) },
  { name: 'grey background', apply: (picture) => onBackground(picture, [226, 224, 219], false) },
]

const flat = (picture: Buffer) => sharp(picture).flatten({ background: white })

async function resized(picture: Buffer, factor: number) {
  const { width } = await sharp(picture).metadata()
  return sharp(picture)
    .resize(Math.max(1, Math.round(width * factor)))
    .png()
    .toBuffer()
}

/** Cuts parts of the width and height off: left, top, right, bottom. */
async function cropped(picture: Buffer, [left, top, right, bottom]: number[]) {
  const { width, height } = await sharp(picture).metadata()
  const x = Math.round(width * (left ?? 0))
  const y = Math.round(height * (top ?? 0))
  return sharp(picture)
    .extract({
      left: x,
      top: y,
      width: Math.max(1, Math.round(width * (1 - (right ?? 0))) - x),
      height: Math.max(1, Math.round(height * (1 - (bottom ?? 0))) - y),
    })
    .png()
    .toBuffer()
}

async function withMargins(picture: Buffer, across: number, down: number, background: string) {
  const { width, height } = await sharp(picture).metadata()
  const [x, y] = [Math.round(width * across), Math.round(height * down)]
  return flat(picture).extend({ left: x, right: x, top: y, bottom: y, background }).png().toBuffer()
}

const rotated = (picture: Buffer, degrees: number, background: string) =>
  flat(picture).rotate(degrees, { background }).png().toBuffer()

/** Replaces white by a colour. `isDark`: black becomes light, and colours keep their hue. */
async function onBackground(picture: Buffer, colour: number[], isDark: boolean) {
  const { data, info } = await flat(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  for (let at = 0; at < data.length; at += 3) {
    const pixel = [...data.subarray(at, at + 3)]
    const white = Math.min(...pixel)
    const black = 255 - Math.max(...pixel)
    for (let c = 0; c < 3; c++) {
      const hue = (pixel[c] as number) - white
      const ink = isDark ? 225 * black : 0
      data[at + c] = Math.min(255, hue + ((colour[c] as number) * white + ink) / 255)
    }
  }
  return sharp(data, { raw: { ...info, channels: 3 } })
    .png()
    .toBuffer()
}
