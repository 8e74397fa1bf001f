/**
 * The same bytes in pieces as long as the buffer, which is used again for each: a piece is valid
 * until the next one is pulled.
 */
export async function* gather(
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
