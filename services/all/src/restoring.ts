import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from './failure.js'

/** In a data directory into which a backup is being restored. */
export const restoringMark = 'restoring'

/** What an interrupted restore left is never taken for an installation. */
export async function refuseHalfRestored(dataDir: string): Promise<void> {
  if (!(await stat(join(dataDir, restoringMark)).catch(() => undefined))) return
  throw new Failure(
    `a backup was being restored into ${dataDir}, and that did not end`,
    'Wait for it; or empty the directory, and restore once more.',
  )
}
