const short = 126
const long = 127
const masked = 0x80
const maskBytes = 4

/**
 * Follows the frames of one direction of a WebSocket (RFC 6455), whose bytes it is given in order. Returns whether no
 * frame that has begun is longer than the limit.
 */
export function frameLengths(bytesMax: number): (chunk: Uint8Array) => boolean {
  /** Of the header that is being read. */
  let header: number[] = []
  let payloadLeft = 0
  return (chunk) => {
    for (let at = 0; at < chunk.length; ) {
      if (payloadLeft > 0) {
        const skipped = Math.min(payloadLeft, chunk.length - at)
        payloadLeft -= skipped
        at += skipped
        continue
      }
      header.push(chunk[at++] ?? 0)
      if (header.length < headerLength(header)) continue
      payloadLeft = payloadLength(header)
      header = []
      if (payloadLeft > bytesMax) return false
    }
    return true
  }
}

/** Of a header of which at least one byte is known. */
function headerLength([, second]: number[]): number {
  if (second === undefined) return 2
  const length = second & ~masked
  const extended = length === short ? 2 : length === long ? 8 : 0
  return 2 + extended + (second & masked ? maskBytes : 0)
}

function payloadLength([, second = 0, ...more]: number[]): number {
  const length = second & ~masked
  if (length < short) return length
  return more.slice(0, length === short ? 2 : 8).reduce((sum, byte) => sum * 256 + byte, 0)
}
