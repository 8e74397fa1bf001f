import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { importGit } from '../job-names.js'
import { listAbandonedImports } from '../queries/git-imports.js'
import { endAbandoned } from '../repositories/end-abandoned.js'

/** Ends the imports whose jobs are gone: somebody dropped them. */
export const settleImports: Periodic<Ctx> = {
  name: 'settle-git-imports',
  everyMs: 5000,
  idleMsMax: 5 * 60_000,
  async run(ctx, signal) {
    const abandoned = await listAbandonedImports(ctx.db, importGit.name)
    for (const one of abandoned) {
      signal.throwIfAborted()
      await endAbandoned(ctx, one)
    }
    return abandoned.length > 0
  },
}
