import { createBLAKE3, type IHasher } from 'hash-wasm'

/** What one object needs while it passes: both are costly to make, so they are lent. */
export type Workspace = { hasher: IHasher; buffer: Buffer }

export type Workspaces = {
  take(): Promise<Workspace>
  giveBack(workspace: Workspace): void
}

/** Written at once: a write is a trip to another thread, whatever its length. */
const bufferBytes = 512 * 1024

export function createWorkspaces(idleMax = 16): Workspaces {
  const idle: Workspace[] = []
  return {
    async take() {
      const workspace = idle.pop() ?? {
        hasher: await createBLAKE3(),
        buffer: Buffer.allocUnsafeSlow(bufferBytes),
      }
      workspace.hasher.init()
      return workspace
    },
    giveBack(workspace) {
      if (idle.length < idleMax) idle.push(workspace)
    },
  }
}
