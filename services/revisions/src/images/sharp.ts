import sharp from 'sharp'

/**
 * Settings that hold for the whole process: one thread an image, no cache, and only the decoders
 * of what people publish.
 */
export function configureSharp(): void {
  sharp.cache(false)
  sharp.concurrency(1)
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({
    operation: ['Png', 'Jpeg', 'Webp', 'Nsgif', 'Tiff', 'Svg', 'Heif'].map(
      (format) => `VipsForeignLoad${format}`,
    ),
  })
}
