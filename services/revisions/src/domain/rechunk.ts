/**
 * The same bytes in pieces of the buffer's length. The buffer is reused: a piece is valid until the next
 * one is pulled.
 */
export async function* rechunk(
  chunks: AsyncIterable<Uint8Array>,
  buffer: Uint8Array,
): AsyncGenerator<Uint8Array> {
  let filled = 0
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + buffer.length - filled)
      buffer.set(part, filled)
      filled += part.length
      at += part.length
      if (filled === buffer.length) {
        yield buffer
        filled = 0
      }
    }
  }
  if (filled > 0) yield buffer.subarray(0, filled)
}
