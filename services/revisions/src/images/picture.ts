import sharp from 'sharp'

/** The longer side of a stored thumbnail, in pixels. */
export const thumbnailSidePx = 1024

/** `png` is absent if the image itself is the thumbnail. */
export type Picture = { png?: Buffer; width: number; height: number }

/** The image cannot be shown. The message is for users. */
export class PictureError extends Error {
  override name = 'PictureError'
}

export type PictureLimits = { imagePixelsMax: number; imageTimeoutMs: number }

const svgDensity = 72
const svgDensityMax = 2400

/**
 * The default level 6 takes twice the time and saves an eighth of the bytes on figures. Adaptive filters
 * take even longer and save nothing.
 */
const encoding = { compressionLevel: 2 }

/** The first frame as a PNG that fits a square. Vector images are rendered in that size. */
export async function pictureOf(bytes: Buffer, limits: PictureLimits): Promise<Required<Picture>> {
  const options = { failOn: 'error', limitInputPixels: limits.imagePixelsMax } as const
  try {
    const { format, width, height } = await sharp(bytes, options).metadata()
    const side = Math.max(width, height)
    const density = Math.min(svgDensityMax, (svgDensity * thumbnailSidePx) / side)
    const rasterized =
      format === 'svg' && side < thumbnailSidePx ? { ...options, density } : options
    const { data, info } = await sharp(bytes, rasterized)
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

export async function resized(png: Uint8Array, sidePx: number): Promise<Buffer> {
  return sharp(png)
    .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
    .png(encoding)
    .toBuffer()
}

function reasonOf(error: unknown) {
  const text = error instanceof Error ? error.message : ''
  if (/unsupported image format|corrupt header/i.test(text)) return 'unsupported or invalid image'
  if (/pixel limit|too large/i.test(text)) return 'the image has too many pixels'
  if (/timeout/i.test(text)) return 'processing the image timed out'
  return 'the image is damaged'
}
