import { unlink } from 'node:fs/promises'
import { codeOf } from './failure.js'

/**
 * Removes a socket's file, if it is there. Not with `rm`: in Node.js 20.20, once `rm` has removed a
 * socket, modules imported later are no longer found by their real path, and pnpm's are not found.
 */
export async function removeSocket(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
