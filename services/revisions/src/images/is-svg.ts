import { constants, gunzipSync } from 'node:zlib'

const headBytes = 1000

/** Whether the bytes begin like an SVG, plain or compressed, in any XML encoding. */
export function isSvg(bytes: Buffer): boolean {
  const head = bytes[0] === 0x1f && bytes[1] === 0x8b ? unpackedHead(bytes) : bytes
  const text = head.toString('latin1', 0, headBytes).replaceAll('\0', '')
  // A byte order mark and white space may come before the first tag.
  return /^[^\w<]*</.test(text) && /<(\w+:)?svg/i.test(text)
}

function unpackedHead(bytes: Buffer) {
  try {
    const head = bytes.subarray(0, headBytes)
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return bytes
  }
}
