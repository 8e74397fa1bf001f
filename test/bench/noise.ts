import { randomBytes } from 'node:crypto'
import { pngChunk, pngOf } from '../src/images.js'

const end = pngChunk('IEND', Buffer.alloc(0))
const noiseBytes = 18

/**
 * The last bytes of a PNG with an unknown chunk of random bytes, different at each call: this makes each publication a
 * different file without generating the image again. The length is divisible by three, so that the base64 of the tail
 * is independent.
 */
export function pngTail(): Buffer {
  return Buffer.concat([pngChunk('noIs', randomBytes(noiseBytes)), end])
}

/**
 * A square PNG of about this size, with random pixels that do not compress. It ends in `pngTail`, at an offset
 * divisible by three.
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
