import sharp, { type SharpOptions } from 'sharp'
import { differenceHash } from '../domain/likeness.js'

/** Reads every row; rejects when the picture is damaged. */
export async function likenessOf(bytes: Buffer, options: SharpOptions = {}): Promise<bigint> {
  const { data, info } = await sharp(bytes, { failOn: 'error', ...options })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return differenceHash({ data, ...info })
}
