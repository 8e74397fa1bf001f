import { invalid } from '@figbase/kit'

/** Length of its longer side, as it is stored. */
const sidePx = 512
const pixelsMax = 4096 * 4096
const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/** The picture of a user as base64: the same pixels as a PNG of our own, without anything else that was in it. */
export async function avatarOf(png: Buffer, bytesMax: number): Promise<string> {
  if (png.length > bytesMax) throw invalid('avatar', `must have at most ${bytesMax} bytes`)
  if (!png.subarray(0, signature.length).equals(signature)) throw invalid('avatar', 'must be a PNG')
  // Loaded only where it is used: a start without it is faster.
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
      isTooLarge ? `must have at most ${pixelsMax} pixels` : 'must be a PNG: this one is damaged',
    )
  }
}
