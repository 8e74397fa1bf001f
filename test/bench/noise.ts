import { randomBytes } from 'node:crypto'
import { pngOf } from '../src/pictures.js'

/** Bytes at the end of the noise that stand for a mark: each publication gets one of its own. */
export const markBytes = 24

/**
 * A PNG of about that many bytes: square, of random pixels, which do not compress. It ends in random
 * bytes that no decoder reads, so that it can be made another file without being drawn again.
 */
export function noisePng(bytes: number): Buffer {
  const side = Math.floor(Math.sqrt(bytes / 3))
  const rows = randomBytes(side * (1 + side * 3))
  // The filter of each row: none.
  for (let y = 0; y < side; y++) rows[y * (1 + side * 3)] = 0
  const png = pngOf(side, side, rows)
  return Buffer.concat([png, randomBytes(3 - (png.length % 3) + markBytes)])
}
