import sharp, { type SharpOptions } from 'sharp'
import { differenceHash } from '../domain/difference-hash.js'

/** Difference hash. Decodes every row, and rejects if the picture is damaged. */
export async function imageHash(bytes: Buffer, options: SharpOptions = {}): Promise<bigint> {
  const { data, info } = await sharp(bytes, { failOn: 'error', ...options })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return differenceHash({ data, ...info })
}
