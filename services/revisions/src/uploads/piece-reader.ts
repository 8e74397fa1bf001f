/** Reads a stream of chunks in pieces of any length. */
export type PieceReader = {
  /** False at the end and after a failure. */
  hasMore(): Promise<boolean>
  /** At most this many bytes. If the source fails, the piece ends with the last byte before the failure. */
  take(bytesMax: number): AsyncGenerator<Uint8Array>
  /** The error that ended the source. */
  failure: { error: unknown } | undefined
}

/**
 * `next` returns undefined at the end. A chunk may be empty. It must be consumed before the next one is
 * pulled.
 */
export function createPieceReader(next: () => Promise<Uint8Array | undefined>): PieceReader {
  let rest: Uint8Array = new Uint8Array()
  let hasEnded = false
  const reader: PieceReader = {
    failure: undefined,
    async hasMore() {
      while (rest.length === 0 && !hasEnded) {
        try {
          const chunk = await next()
          if (chunk) rest = chunk
          else hasEnded = true
        } catch (error) {
          reader.failure = { error }
          hasEnded = true
        }
      }
      return rest.length > 0
    },
    async *take(bytesMax) {
      for (let left = bytesMax; left > 0 && (await reader.hasMore()); ) {
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
  }
  return reader
}
