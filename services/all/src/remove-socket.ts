import { unlink } from 'node:fs/promises'
import { codeOf } from './failure.js'

/**
 * Removes the file of a socket, if it exists. Does not use `rm`: in Node.js 20.20, after `rm` has removed a socket,
 * later imports no longer resolve symbolic links, so that packages installed by pnpm are not found.
 */
export async function removeSocket(path: string): Promise<void> {
  try {
    await unlink(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}
