import { chmod, mkdir, stat } from 'node:fs/promises'
import { codeOf, Failure } from './failure.js'

/** Makes the directory that holds everything, for its owner only. */
export async function makeDataDir(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    if (process.geteuid?.() === 0) await letThrough(dir)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new Failure(
      `the data directory ${dir} cannot be made: ${why}`,
      'FIGBASE_DATA_DIR chooses another one.',
      { cause: error },
    )
  }
}

// Started by root, PostgreSQL runs as another user, who must pass through our directory to its own
// (which only that user can enter). Others may pass as well, but see no names and read no secret.
async function letThrough(dir: string): Promise<void> {
  const { mode, uid } = await stat(dir)
  if (uid !== 0 || (mode & 0o001) !== 0) return
  await chmod(dir, (mode & 0o777) | 0o011).catch((error) => {
    // A file system without permissions: whether it can be used shows when the server starts.
    if (codeOf(error) !== 'EPERM') throw error
  })
}
