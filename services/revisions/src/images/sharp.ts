import sharp from 'sharp'

/** The decoders of common bitmap formats. SVG is missing because its decoder cannot be interrupted. */
const bitmaps = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Tiff', 'Heif']

/** Configures the whole process: two threads per image, which shorten large ones, no cache, and only these decoders. */
export function configureSharp(formats: string[] = bitmaps): void {
  sharp.cache(false)
  sharp.concurrency(2)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) })
}
