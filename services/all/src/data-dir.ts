import { chmod, stat } from 'node:fs/promises'
import { makeDirectory } from '@figbase/kit'
import { codeOf, Failure } from './failure.js'

/** Makes the directory that holds everything, for its owner only. */
export async function makeDataDir(dir: string): Promise<void> {
  const remedy = 'FIGBASE_DATA_DIR chooses another one.'
  await makeOrExplain(dir, 'the data directory', remedy, async () => {
    if (process.geteuid?.() === 0) await letThrough(dir)
  })
}

/** Makes a directory, or ends with the reason why it cannot be made. */
export async function makeOrExplain(
  dir: string,
  what: string,
  remedy: string,
  after: () => Promise<void> = async () => {},
): Promise<void> {
  try {
    await makeDirectory(dir)
    await after()
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new Failure(`${what} ${dir} cannot be made: ${why}`, remedy, { cause })
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
