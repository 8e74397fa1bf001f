import { randomBytes } from 'node:crypto'
import { pngChunk, pngOf } from '../src/pictures.js'

const end = pngChunk('IEND', Buffer.alloc(0))
const noiseBytes = 18

/**
 * The last bytes of a PNG, anew at each call: a chunk of random bytes that no decoder knows, and the
 * end. With them each publication is another file without being drawn again. Their number can be
 * divided by three, so that they are base64 of their own.
 */
export function pngTail(): Buffer {
  return Buffer.concat([pngChunk('noIs', randomBytes(noiseBytes)), end])
}

/**
 * A PNG of about that many bytes: square, of random pixels, which do not compress. It ends in
 * `pngTail`, which begins after a number of bytes that can be divided by three.
 */
export function noisePng(bytes: number): Buffer {
  const side = Math.floor(Math.sqrt(bytes / 3))
  const rows = randomBytes(side * (1 + side * 3))
  // The filter of each row: none.
  for (let y = 0; y < side; y++) rows[y * (1 + side * 3)] = 0
  const png = pngOf(side, side, rows)
  const drawn = png.subarray(0, png.length - end.length)
  const padding = pngChunk('noIs', Buffer.alloc((3 - (drawn.length % 3)) % 3))
  return Buffer.concat([drawn, padding, pngTail()])
}
