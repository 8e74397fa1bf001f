import { createBLAKE3, type IHasher } from 'hash-wasm'
import { createHashThreads, type HashAside } from './hash-threads.js'

/** What one object needs while it passes: its parts are costly to make, so they are lent. */
export type Workspace = {
  /** As long as the pieces in which objects are hashed and stored. */
  buffer: Buffer
  hash: PieceHash
}

/** BLAKE3 of pieces that stand in the buffer one after the other. */
export type PieceHash = {
  begin(): void
  /** The piece must stay as it is until this resolves. */
  update(piece: Uint8Array): Promise<void>
  /** In hex. */
  digest(): Promise<string>
  /** Its digest is not wanted any more, or was asked for. */
  end(): void
}

export type Workspaces = AsyncDisposable & {
  take(): Promise<Workspace>
  giveBack(workspace: Workspace): void
}

/** Written at once: a write is a trip to another thread, whatever its length. */
const bufferBytes = 512 * 1024

export function createWorkspaces(hashThreads: number, idleMax = 16): Workspaces {
  const idle: Workspace[] = []
  const threads = createHashThreads(hashThreads)

  async function create(): Promise<Workspace> {
    const hasher = await createBLAKE3()
    const memory = new SharedArrayBuffer(bufferBytes)
    return {
      buffer: Buffer.from(memory),
      hash: createPieceHash(hasher, () => threads.begin(memory)),
    }
  }

  return {
    async take() {
      const workspace = idle.pop() ?? (await create())
      workspace.hash.begin()
      return workspace
    },
    giveBack(workspace) {
      workspace.hash.end()
      if (idle.length < idleMax) idle.push(workspace)
    },
    [Symbol.asyncDispose]: () => threads[Symbol.asyncDispose](),
  }
}

/**
 * A short object, whose only piece does not fill the buffer, is hashed at once: that takes a millisecond at
 * most. The others are hashed by a thread, while their pieces are written.
 */
function createPieceHash(hasher: IHasher, beginAside: () => HashAside): PieceHash {
  let aside: HashAside | undefined
  return {
    begin() {
      hasher.init()
    },
    async update(piece) {
      if (!aside && piece.length < bufferBytes) {
        hasher.update(piece)
        return
      }
      aside ??= beginAside()
      await aside.update(piece.length)
    },
    async digest() {
      return aside ? aside.digest() : hasher.digest('hex')
    },
    end() {
      aside?.end()
      aside = undefined
    },
  }
}
