import sharp from 'sharp'
import { imageHash } from './image-hash.js'
import { type Picture, type PictureLimits, thumbnailSidePx } from './picture.js'

/** A thumbnail is read into memory and sent in one message. */
const bytesMax = 4 * 2 ** 20

const signature = Buffer.from('89504e470d0a1a0a', 'hex')

/**
 * A PNG that can be used as a thumbnail without encoding it again: not animated, not rotated, sRGB, at most
 * eight bits per channel, small enough, and decodable to its last row. Else undefined.
 */
export async function usablePng(
  bytes: Buffer,
  { imagePixelsMax }: PictureLimits,
): Promise<(Picture & { likeness: bigint }) | undefined> {
  if (bytes.length > bytesMax || !isStaticPng(bytes)) return undefined
  const options = { failOn: 'error', limitInputPixels: imagePixelsMax } as const
  try {
    const metadata = await sharp(bytes, options).metadata()
    const { width, height, depth, orientation = 1, hasProfile } = metadata
    const fits = Math.max(width, height) <= thumbnailSidePx
    if (!fits || depth !== 'uchar' || orientation !== 1 || hasProfile) return undefined
    // Also checks that every row can be decoded.
    return { width, height, likeness: await imageHash(bytes, options) }
  } catch {
    return undefined
  }
}

/** Whether the chunks end with the file, and none of them is an animation. */
function isStaticPng(bytes: Buffer) {
  if (!bytes.subarray(0, signature.length).equals(signature)) return false
  let type = ''
  let at = signature.length
  while (type !== 'IEND' && type !== 'acTL' && at + 12 <= bytes.length) {
    type = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
  }
  return type === 'IEND' && at === bytes.length
}
