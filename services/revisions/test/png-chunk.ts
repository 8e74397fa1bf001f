import { crc32 } from 'node:zlib'

/** A PNG's signature and its IHDR. */
export const pngHeadBytes = 33

export function pngChunk(type: string, data: Uint8Array): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(data.length)
  head.write(type, 4, 'latin1')
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])))
  return Buffer.concat([head, data, check])
}

/** Inserts a chunk after the header of a PNG. */
export const withChunk = (png: Buffer, type: string, data: Uint8Array): Buffer =>
  Buffer.concat([png.subarray(0, pngHeadBytes), pngChunk(type, data), png.subarray(pngHeadBytes)])
