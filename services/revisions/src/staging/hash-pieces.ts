import { rechunk } from '../domain/rechunk.js'
import type { HashBuffer } from './hash-buffers.js'

/** An object on its way to a store. */
export type HashedPieces = {
  /** All pieces but the last have the length of the buffer. A piece is valid until the next one is pulled. */
  pieces: AsyncGenerator<Uint8Array>
  /** The bytes of the pieces so far. */
  size(): bigint
}

/** Hashes the pieces as they are pulled. */
export function hashPieces(
  bytes: AsyncIterable<Uint8Array>,
  { hash, buffer }: HashBuffer,
): HashedPieces {
  let size = 0
  async function* pieces() {
    for await (const piece of rechunk(bytes, buffer)) {
      size += piece.length
      const hashing = hash.update(piece)
      // If the consumer stops pulling, nobody awaits this promise.
      hashing.catch(() => {})
      yield piece
      await hashing
    }
  }
  return { pieces: pieces(), size: () => BigInt(size) }
}
