import sharp from 'sharp'
import { createPictures } from '../pptx-pictures.js'
import type { FigureFiles } from '../stored-slides.js'

/** A picture as the document shows it; `aspect` is its width divided by its height. */
export type PagePicture = { file: string; type: string; aspect: number }

/** What a page can show at 220 dots per inch. */
const widthMax = 2700
const heightMax = 1400
const pixelsMax = 2 ** 27

/** `directory` is for the pictures that are made. */
export function createPagePictures(directory: string) {
  const pictures = createPictures(directory)
  return {
    /** The drawing without what could harm, or else the picture; undefined if neither can be shown. */
    async of(files: FigureFiles): Promise<PagePicture | undefined> {
      const found = await pictures.of(files)
      if (!found) return undefined
      const { path, fallback, width, height } = found
      if (fallback) return { file: path, type: 'image/svg+xml', aspect: width / height }
      return rewritten(path).catch(() => undefined)
    },
  }
}

/**
 * Writes a PNG or a JPEG anew, as large as a page can show it: so Chromium decodes no bytes of users, and its memory does
 * not depend on the size of their pictures.
 */
async function rewritten(path: string): Promise<PagePicture> {
  const source = sharp(path, { limitInputPixels: pixelsMax })
  const isJpeg = (await source.metadata()).format === 'jpeg'
  const fitting = source
    .autoOrient()
    .resize({ width: widthMax, height: heightMax, fit: 'inside', withoutEnlargement: true })
    .toColorspace('srgb')
  const written = isJpeg
    ? fitting.jpeg({ quality: 92, chromaSubsampling: '4:4:4' })
    : fitting.png({ compressionLevel: 3 })
  const file = `${path}.page`
  const { width, height } = await written.toFile(file)
  return { file, type: isJpeg ? 'image/jpeg' : 'image/png', aspect: width / height }
}
