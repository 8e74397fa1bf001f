import { createBLAKE3, type IHasher } from 'hash-wasm'

/** What one object needs while it passes: both are costly to make, so they are lent. */
export type Workspace = { hasher: IHasher; buffer: Buffer }

export type Workspaces = {
  use<T>(work: (workspace: Workspace) => Promise<T>): Promise<T>
}

/** Written at once: a write is a trip to another thread, whatever its length. */
const bufferBytes = 512 * 1024

export function createWorkspaces(idleMax = 16): Workspaces {
  const idle: Workspace[] = []
  return {
    async use(work) {
      const workspace = idle.pop() ?? {
        hasher: await createBLAKE3(),
        buffer: Buffer.allocUnsafeSlow(bufferBytes),
      }
      try {
        workspace.hasher.init()
        return await work(workspace)
      } finally {
        if (idle.length < idleMax) idle.push(workspace)
      }
    },
  }
}
