import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './failure.js'

/** File in a data directory while a backup is being restored into it. */
export const restoreMarkerName = 'restoring'

/** Throws a Failure when a restore into the data directory has not completed. */
export async function refuseIncompleteRestore(dataDir: string): Promise<void> {
  if (!(await stat(join(dataDir, restoreMarkerName)).catch(() => undefined))) return
  throw new Failure(
    `the restore of a backup into ${dataDir} has not completed`,
    'Wait for it, or empty the directory and restore again.',
  )
}
