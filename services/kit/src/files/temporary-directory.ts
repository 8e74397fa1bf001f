import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isProcessGone, processName } from '../processes/process-name.js'

export type TemporaryDirectory = AsyncDisposable & { path: string }

const prefixOf = (purpose: string) => `figbase-${purpose}-`
/** A dash, and what `mkdtemp` appends. */
const suffixChars = 7

/** For its owner only. Its name contains that of this process. */
export async function createTemporaryDirectory(purpose: string): Promise<TemporaryDirectory> {
  const path = await mkdtemp(join(tmpdir(), `${prefixOf(purpose)}${processName()}-`))
  return { path, [Symbol.asyncDispose]: () => remove(path) }
}

/** Deletes the directories of processes that were killed; to be called at startup. */
export async function deleteAbandonedDirectories(purpose: string): Promise<void> {
  const prefix = prefixOf(purpose)
  for (const name of await readdir(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const isGone = isProcessGone(name.slice(prefix.length, -suffixChars))
    // Those of another user cannot be deleted.
    if (isGone) await remove(join(tmpdir(), name)).catch(() => {})
  }
}

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 3 })
