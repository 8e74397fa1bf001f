import { crc32 } from 'node:zlib'

const signature = Buffer.from('89504e470d0a1a0a', 'hex')
/** Bytes of the length, type and checksum of a chunk. */
const frameBytes = 12

/** Whether the bytes are exactly one PNG with valid chunks. Does not decode the pixels. */
export function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, signature.length).equals(signature)) return false
  const types: string[] = []
  let at = signature.length
  while (types.at(-1) !== 'IEND') {
    const end = at + frameBytes + (at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0)
    if (end > bytes.length) return false
    const checked = bytes.subarray(at + 4, end - 4)
    if (crc32(checked) !== bytes.readUInt32BE(end - 4)) return false
    types.push(checked.toString('latin1', 0, 4))
    at = end
  }
  return at === bytes.length && types[0] === 'IHDR' && types.includes('IDAT')
}
