import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { noTotals } from '../domain/git-slots.js'
import { importGit } from '../job-names.js'
import { listAbandonedImports } from '../queries/git-imports.js'
import { finishImport } from '../repositories/start-import.js'

/** Ends the imports that their jobs did not end: the task was cancelled, or each attempt crashed the process. */
export const settleImports: Periodic<Ctx> = {
  name: 'settle-git-imports',
  everyMs: 5000,
  idleMsMax: 5 * 60_000,
  async run(ctx, signal) {
    const abandoned = await listAbandonedImports(ctx.db, importGit.name)
    for (const one of abandoned) {
      signal.throwIfAborted()
      const { commit_id: commitId, refused } = one
      const isWaiting = one.state === 'WAITING'
      await finishImport(ctx, one, {
        state: isWaiting ? 'CANCELLED' : 'FAILED',
        error: isWaiting ? '' : 'its process ended in each attempt, or it was cancelled',
        ...{ commitId, refused, totals: noTotals },
      })
    }
    return abandoned.length > 0
  },
}
