import { gather } from '../domain/gather.js'
import type { Workspace } from './workspaces.js'

/** One object on its way to a store. */
export type Hashed = {
  /** As long as the buffer, save for the last: each is valid until the next is pulled. */
  pieces: AsyncGenerator<Uint8Array>
  /** Of the pieces that were pulled. */
  size(): bigint
}

/** The bytes in pieces, which are hashed as they are pulled. */
export function hashed(bytes: AsyncIterable<Uint8Array>, { hash, buffer }: Workspace): Hashed {
  let size = 0
  async function* pieces() {
    for await (const piece of gather(bytes, buffer)) {
      size += piece.length
      const hashing = hash.update(piece)
      // Whoever stops pulling is not told of it.
      hashing.catch(() => {})
      yield piece
      await hashing
    }
  }
  return { pieces: pieces(), size: () => BigInt(size) }
}
