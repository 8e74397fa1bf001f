import { open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GitError } from './git-error.js'
import type { Workspace } from './run-git.js'

const everyMs = 100
const countOffset = 8
const headBytes = 12

/** Looks at the files of a fetch while it runs, and reports if they exceed a limit. */
export function watchFolder(
  { repository, limits }: Workspace,
  onProblem: (problem: GitError) => void,
): AsyncDisposable {
  const ends = new AbortController()
  const { diskBytesMax, objectsMax } = limits
  const watching = (async () => {
    while (await slept(ends.signal)) {
      const { bytes, objects } = await measure(join(repository, 'objects', 'pack'))
      if (objects > objectsMax) onProblem(tooManyObjects(objectsMax))
      if (bytes > diskBytesMax) onProblem(tooLarge(diskBytesMax))
    }
  })()
  return {
    async [Symbol.asyncDispose]() {
      ends.abort()
      await watching
    },
  }
}

/** Checks a fetch that has ended, also if it failed: Git does not say that a limit was the reason. */
export async function requireLimits({ repository, limits }: Workspace): Promise<void> {
  const { bytes, objects } = await measure(join(repository, 'objects', 'pack'))
  if (objects > limits.objectsMax) throw tooManyObjects(limits.objectsMax)
  if (bytes > limits.diskBytesMax) throw tooLarge(limits.diskBytesMax)
}

const tooManyObjects = (max: number) =>
  new GitError('too_many_objects', `the repository has more than ${max} objects`)
const tooLarge = (max: number) =>
  new GitError('too_large', `the repository takes more than ${max} bytes`)

const slept = (signal: AbortSignal) => sleep(everyMs, true, { signal }).catch(() => false)

/** Bytes of the packs, also of one that is being received, and the objects that they announce. */
async function measure(folder: string) {
  let bytes = 0
  let objects = 0
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name)
    // Files come and go.
    bytes += await stat(path).then(
      ({ size }) => size,
      () => 0,
    )
    if (name.endsWith('.pack') || name.startsWith('tmp_pack_')) {
      objects += await announcedObjects(path).catch(() => 0)
    }
  }
  return { bytes, objects }
}

async function announcedObjects(path: string) {
  await using file = await open(path)
  const { bytesRead, buffer } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0)
  return bytesRead === headBytes ? buffer.readUInt32BE(countOffset) : 0
}
