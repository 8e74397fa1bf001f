/**
 * Splits bytes into parts of `partBytes`; only the last may be shorter, and there is at least one. A part is only
 * valid until the next is pulled, because the parts share one buffer.
 */
export async function* inParts(
  bytes: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Buffer> {
  let part = Buffer.alloc(0)
  let filled = 0
  let count = 0
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      if (filled === partBytes) {
        yield part
        count++
        filled = 0
      }
      const wanted = Math.min(filled + chunk.length - at, partBytes)
      if (wanted > part.length) part = grow(part, filled, wanted, partBytes)
      const piece = chunk.subarray(at, at + part.length - filled)
      part.set(piece, filled)
      filled += piece.length
      at += piece.length
    }
  }
  if (filled > 0 || count === 0) yield part.subarray(0, filled)
}

// Small objects use a buffer of their size; for larger ones it doubles, to limit copying.
function grow(part: Buffer, filled: number, wanted: number, max: number) {
  const larger = Buffer.allocUnsafeSlow(Math.min(Math.max(wanted, part.length * 2), max))
  part.copy(larger, 0, 0, filled)
  return larger
}
