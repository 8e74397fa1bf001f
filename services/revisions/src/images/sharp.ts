import sharp from 'sharp'

/** The decoders of what people publish, without the one that nothing interrupts. */
const bitmaps = ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Tiff', 'Heif']

/** Settings that hold for the whole process: one thread an image, no cache, and these decoders. */
export function configureSharp(formats: string[] = bitmaps): void {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: formats.map((format) => `VipsForeignLoad${format}`) })
}
