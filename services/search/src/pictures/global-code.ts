import { hashWords } from './global.js'

/** The hashes of the parts of a picture. */
export type Hashes = {
  whole: Uint32Array
  content: Uint32Array
  centre: Uint32Array
  framed: Uint32Array[]
}

export const framedMax = 2
/** 32-bit words of a global descriptor: the number of framed parts, then the hashes. */
export const globalWords = 1 + (3 + framedMax) * hashWords
export const globalBytes = 4 * globalWords

/** Little endian. */
export function encodeGlobal({ whole, content, centre, framed }: Hashes): Buffer {
  const out = Buffer.alloc(globalBytes)
  out.writeUInt32LE(framed.length, 0)
  ;[whole, content, centre, ...framed].forEach((hash, i) => {
    hash.forEach((word, k) => {
      out.writeUInt32LE(word, 4 * (1 + i * hashWords + k))
    })
  })
  return out
}
