import { invalid } from '@figbase/kit/errors'

/** Longer side of the stored picture. */
const sidePx = 512
const pixelsMax = 4096 * 4096
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** Re-encodes an avatar as a PNG in base64, scaled down and without metadata. */
export async function encodeAvatar(png: Buffer, bytesMax: number): Promise<string> {
  if (png.length > bytesMax) throw invalid('avatar', `must have at most ${bytesMax} bytes`)
  if (!png.subarray(0, signature.length).equals(signature)) throw invalid('avatar', 'must be a PNG')
  // Loaded on first use to keep startup fast.
  const { default: sharp } = await import('sharp')
  const options = { failOn: 'error', limitInputPixels: pixelsMax } as const
  try {
    const made = await sharp(png, options)
      .resize(sidePx, sidePx, { fit: 'inside', withoutEnlargement: true })
      .png()
      .toBuffer()
    return made.toString('base64')
  } catch (cause) {
    const isTooLarge = cause instanceof Error && /pixel limit/i.test(cause.message)
    throw invalid(
      'avatar',
      isTooLarge ? `must have at most ${pixelsMax} pixels` : 'is not a valid PNG',
    )
  }
}
