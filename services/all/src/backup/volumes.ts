import { mkdir, readdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { archiveVolume, listVolumes, restoreVolume } from '@figbase/compute'
import { makeDirectory } from '@figbase/kit/files'
import { Failure } from '../failure.js'
import type { Host } from '../main.js'
import { forEach } from './files.js'
import type { Counted } from './manifest.js'

const concurrency = 2
const suffix = '.tar'

/** The directory of the instances of the driver `local`. */
export const volumesDir = ({ env, cwd }: Pick<Host, 'env' | 'cwd'>, dataDir: string): string =>
  env.COMPUTE_LOCAL_DIR ? resolve(cwd, env.COMPUTE_LOCAL_DIR) : join(dataDir, 'compute')

export function requireLocalVolumes({ env }: Pick<Host, 'env'>): void {
  if (env.COMPUTE_DRIVER !== 'kubernetes') return
  throw new Failure(
    '--with-volumes supports the driver `local` only, and COMPUTE_DRIVER is kubernetes',
    'Back up the persistent volumes with the tools of the cluster.',
  )
}

/** Writes an archive for each instance; `files` counts instances. */
export async function backupVolumes(
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<Counted> {
  await mkdir(to, { mode: 0o700 })
  const counted: Counted = { files: 0, bytes: 0 }
  await forEach(each(await listVolumes(from)), concurrency, async (id) => {
    signal.throwIfAborted()
    counted.bytes += await archiveVolume(from, id, join(to, `${id}${suffix}`), signal)
    counted.files++
  })
  return counted
}

/** Returns the number of archives that were restored. */
export async function restoreVolumes(
  from: string,
  to: string,
  signal: AbortSignal,
): Promise<number> {
  await makeDirectory(to)
  const archives = (await readdir(from)).filter((name) => name.endsWith(suffix))
  await forEach(each(archives), concurrency, async (name) => {
    signal.throwIfAborted()
    await restoreVolume(to, basename(name, suffix), join(from, name), signal)
  })
  return archives.length
}

async function* each<T>(items: T[]) {
  yield* items
}
