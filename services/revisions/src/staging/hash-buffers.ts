import { createBLAKE3, type IHasher } from 'hash-wasm'
import { createHashThreads, type ThreadHash } from './hash-threads.js'

/** A buffer and a hash for one object. They are expensive to create, so they are pooled. */
export type HashBuffer = {
  /** Its length is that of the pieces in which objects are hashed and stored. */
  buffer: Buffer
  hash: PieceHash
}

/** BLAKE3 of pieces that are read from the buffer one after the other. */
export type PieceHash = {
  begin(): void
  /** The piece must not change until this resolves. */
  update(piece: Uint8Array): Promise<void>
  /** In hex. */
  digest(): Promise<string>
  /** Discards the hash. Called after `digest`, too. */
  end(): void
}

export type HashBufferPool = AsyncDisposable & {
  acquire(): Promise<HashBuffer>
  release(buffer: HashBuffer): void
}

/** Large, because each write goes through another thread, whatever its length. */
const bufferBytes = 512 * 1024

export function createHashBufferPool(hashThreads: number, idleMax = 16): HashBufferPool {
  const idle: HashBuffer[] = []
  const threads = createHashThreads(hashThreads)

  async function create(): Promise<HashBuffer> {
    const hasher = await createBLAKE3()
    const memory = new SharedArrayBuffer(bufferBytes)
    return {
      buffer: Buffer.from(memory),
      hash: createPieceHash(hasher, () => threads.begin(memory)),
    }
  }

  return {
    async acquire() {
      const one = idle.pop() ?? (await create())
      one.hash.begin()
      return one
    },
    release(one) {
      one.hash.end()
      if (idle.length < idleMax) idle.push(one)
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  }
}

/**
 * A short object, with a single piece that does not fill the buffer, is hashed here: that takes at most a
 * millisecond. Longer objects are hashed by a thread while their pieces are written.
 */
function createPieceHash(hasher: IHasher, beginOnThread: () => ThreadHash): PieceHash {
  let threadHash: ThreadHash | undefined
  return {
    begin() {
      hasher.init()
    },
    async update(piece) {
      if (!threadHash && piece.length < bufferBytes) {
        hasher.update(piece)
        return
      }
      threadHash ??= beginOnThread()
      await threadHash.update(piece.length)
    },
    async digest() {
      return threadHash ? threadHash.digest() : hasher.digest('hex')
    },
    end() {
      threadHash?.end()
      threadHash = undefined
    },
  }
}
