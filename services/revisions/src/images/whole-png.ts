import sharp from 'sharp'
import { likenessOf } from './likeness.js'
import { type Picture, type PictureLimits, thumbnailSidePx } from './picture.js'

/** A thumbnail is read into memory, and sent in one message. */
const bytesMax = 4 * 2 ** 20

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * A PNG that is a thumbnail as it stands: still, upright, sRGB, eight bits a channel at most,
 * small enough, and sound to its last row. Undefined for everything else.
 */
export async function wholePng(
  bytes: Buffer,
  { imagePixelsMax }: PictureLimits,
): Promise<(Picture & { likeness: bigint }) | undefined> {
  if (bytes.length > bytesMax || !isStillPng(bytes)) return undefined
  const options = { failOn: 'error', limitInputPixels: imagePixelsMax } as const
  try {
    const metadata = await sharp(bytes, options).metadata()
    const { width, height, depth, orientation = 1, hasProfile } = metadata
    const fits = Math.max(width, height) <= thumbnailSidePx
    if (!fits || depth !== 'uchar' || orientation !== 1 || hasProfile) return undefined
    // Also finds out whether it is sound to its last row.
    return { width, height, likeness: await likenessOf(bytes, options) }
  } catch {
    return undefined
  }
}

/** Whether the chunks end with the bytes, and none of them animates. */
function isStillPng(bytes: Buffer) {
  if (!bytes.subarray(0, signature.length).equals(signature)) return false
  let type = ''
  let at = signature.length
  while (type !== 'IEND' && type !== 'acTL' && at + 12 <= bytes.length) {
    type = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
  }
  return type === 'IEND' && at === bytes.length
}
