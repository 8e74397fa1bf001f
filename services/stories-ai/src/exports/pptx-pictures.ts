import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import type { PictureFile } from './pptx-archive.js'
import { qrCode } from './qr-code.js'
import { safeSvg } from './safe-svg.js'

type Size = { width: number; height: number }
export type SizedPicture = PictureFile & Size
type Source = { picture: string | undefined; drawing: string | undefined }

export type Pictures = {
  /** Undefined if the figure has none that can be shown. */
  of(figure: Source): Promise<SizedPicture | undefined>
  /** The path of a PNG. */
  qrCodeOf(link: string): Promise<string>
}

const picturePixelsMax = 2 ** 27
/** A drawing must have the shape of its picture. */
const shapeTolerance = 0.02

sharp.cache(false)
sharp.concurrency(1)
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['Png', 'Jpeg', 'Svg'].map((format) => `VipsForeignLoad${format}`) })

/** The pictures of a presentation, each looked at once. `directory` is for what is made of them. */
export function createPictures(directory: string): Pictures {
  const sized = new Map<string, Promise<SizedPicture | undefined>>()
  const codes = new Map<string, Promise<string>>()
  const once = <T>(made: Map<string, Promise<T>>, key: string, make: () => Promise<T>) => {
    const one = made.get(key) ?? make()
    made.set(key, one)
    return one
  }
  return {
    async of({ picture, drawing }) {
      return picture ? once(sized, picture, () => sizedPicture(picture, drawing)) : undefined
    },
    qrCodeOf: (link) =>
      once(codes, link, async () => {
        const path = join(directory, `${codes.size}.qr.png`)
        await writeFile(path, await qrCode(link))
        return path
      }),
  }
}

async function sizedPicture(path: string, drawing: string | undefined) {
  const size = await sizeOf(path)
  if (!size) return undefined
  const safe = drawing && (await safeDrawing(drawing, size))
  return { ...size, ...(safe ? { path: safe, fallback: path } : { path }) }
}

/** Undefined if it is not a picture. */
async function sizeOf(path: string): Promise<Size | undefined> {
  const image = sharp(path, { limitInputPixels: picturePixelsMax })
  const pixels = await image.metadata().catch(() => undefined)
  return pixels && { width: pixels.width, height: pixels.height }
}

/** The path of the drawing without what could harm; undefined if it cannot be used in place of the picture. */
async function safeDrawing(path: string, { width, height }: Size): Promise<string | undefined> {
  const safe = safeSvg((await readFile(path)).toString())
  if (safe === undefined) return undefined
  const safePath = `${path}.safe.svg`
  await writeFile(safePath, safe)
  const size = await sizeOf(safePath)
  const shape = size && size.width / size.height / (width / height)
  return shape && Math.abs(shape - 1) <= shapeTolerance ? safePath : undefined
}
