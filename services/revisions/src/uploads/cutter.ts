/** A stream of chunks that is taken in pieces, however the chunks lie. */
export type Cutter = {
  /** Whether a byte is left to take; false at the end and after a failure. */
  hasMore(): Promise<boolean>
  /** At most so many bytes. What comes before a failure of the source is whole; the rest is left out. */
  take(bytesMax: number): AsyncGenerator<Uint8Array>
  /** Why the source ended early. */
  failure: { error: unknown } | undefined
}

/** `next` answers undefined at the end; a chunk may be empty, and is done with before the next is pulled. */
export function createCutter(next: () => Promise<Uint8Array | undefined>): Cutter {
  let rest: Uint8Array = new Uint8Array()
  let hasEnded = false
  const cutter: Cutter = {
    failure: undefined,
    async hasMore() {
      while (rest.length === 0 && !hasEnded) {
        try {
          const chunk = await next()
          if (chunk) rest = chunk
          else hasEnded = true
        } catch (error) {
          cutter.failure = { error }
          hasEnded = true
        }
      }
      return rest.length > 0
    },
    async *take(bytesMax) {
      for (let left = bytesMax; left > 0 && (await cutter.hasMore()); ) {
        const piece = rest.subarray(0, left)
        rest = rest.subarray(piece.length)
        left -= piece.length
        yield piece
      }
    },
  }
  return cutter
}
