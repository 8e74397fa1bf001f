import sharp from 'sharp'

/** Length of the longer side of a thumbnail as it is stored. */
export const thumbnailSidePx = 1024

/** `png` is absent where the image is shown as it is. */
export type Picture = { png?: Buffer; width: number; height: number }

/** The bytes are no picture that we can show; the message is for people. */
export class PictureError extends Error {
  override name = 'PictureError'
}

export type PictureLimits = { imagePixelsMax: number; imageTimeoutMs: number }

const svgDensity = 72
const svgDensityMax = 2400

/**
 * Level 6, the default, takes twice the time on figures for an eighth fewer bytes. Adaptive filters
 * take more than that, and save nothing.
 */
const encoding = { compressionLevel: 2 }

/** The first frame as a PNG that fits a square; drawings are drawn in that size. */
export async function pictureOf(bytes: Buffer, limits: PictureLimits): Promise<Required<Picture>> {
  const options = { failOn: 'error', limitInputPixels: limits.imagePixelsMax } as const
  try {
    const { format, width, height } = await sharp(bytes, options).metadata()
    const side = Math.max(width, height)
    const density = Math.min(svgDensityMax, (svgDensity * thumbnailSidePx) / side)
    const drawn = format === 'svg' && side < thumbnailSidePx ? { ...options, density } : options
    const { data, info } = await sharp(bytes, drawn)
      .timeout({ seconds: Math.ceil(limits.imageTimeoutMs / 1000) })
      .autoOrient()
      .resize(thumbnailSidePx, thumbnailSidePx, { fit: 'inside', withoutEnlargement: true })
      .png(encoding)
      .toBuffer({ resolveWithObject: true })
    return { png: data, width: info.width, height: info.height }
  } catch (cause) {
    throw new PictureError(reasonOf(cause), { cause })
  }
}

/** A thumbnail, made smaller. */
export async function resized(png: Uint8Array, sidePx: number): Promise<Buffer> {
  return sharp(png)
    .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
    .png(encoding)
    .toBuffer()
}

function reasonOf(error: unknown) {
  const text = error instanceof Error ? error.message : ''
  if (/unsupported image format|corrupt header/i.test(text)) return 'not an image that can be read'
  if (/pixel limit|too large/i.test(text)) return 'the image has too many pixels'
  if (/timeout/i.test(text)) return 'the image took too long to read'
  return 'the image is damaged'
}
