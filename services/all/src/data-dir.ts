import { chmod, stat } from 'node:fs/promises'
import { makeDirectory } from '@figbase/kit/files'
import { codeOf, Failure } from './failure.js'

/** Creates the data directory, accessible to its owner only. */
export async function createDataDir(dir: string): Promise<void> {
  const remedy = 'Set FIGBASE_DATA_DIR to another directory.'
  await createDirectoryOrFail(dir, 'the data directory', remedy, async () => {
    if (process.geteuid?.() === 0) await allowTraversal(dir)
  })
}

/** Creates a directory; throws a Failure with the reason when that fails. */
export async function createDirectoryOrFail(
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
    throw new Failure(`cannot create ${what} ${dir}: ${why}`, remedy, { cause })
  }
}

// When root starts Figbase, PostgreSQL runs as another user, who must traverse the data directory to reach the cluster.
// Other users can traverse it as well, but they can neither list it nor read the secrets.
async function allowTraversal(dir: string): Promise<void> {
  const { mode, uid } = await stat(dir)
  if (uid !== 0 || (mode & 0o001) !== 0) return
  await chmod(dir, (mode & 0o777) | 0o011).catch((error) => {
    // The file system has no permissions: the start of the server shows whether it can be used.
    if (codeOf(error) !== 'EPERM') throw error
  })
}
