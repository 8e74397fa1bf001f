import { defineJob, type Job, resumePages } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { targetTypes } from '../domain/target.js'
import { deleteTargets, purgeComments } from '../queries/purge.js'

// Comments, each with its reactions.
const batchMax = 100

/** Purges the comments on targets that can no longer be restored in catalog. */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '43 * * * *', payload: {} },
  async run(ctx, _, signal) {
    const asSystem = { ...actAsSystem(), signal }
    await resumePages(
      ctx.db,
      (pageToken) => ctx.catalog.listDeletedNodes({ pageToken, types: targetTypes }, asSystem),
      (ids) => purge(ctx, ids, signal),
    )
  },
})

async function purge(ctx: Ctx, targetIds: string[], signal: AbortSignal) {
  for (let purged = 1; purged > 0; ) {
    signal.throwIfAborted()
    purged = await ctx.write((db) => purgeComments(db, targetIds, batchMax))
  }
  await ctx.write((db) => deleteTargets(db, targetIds))
}
