import { actAsSystem, defineJob, type Job } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { targetTypes } from '../domain/target.js'
import { deleteTargets, purgeComments } from '../queries/purge.js'
import { readProgress, saveProgress } from '../queries/purge-progress.js'

// Each with its reactions.
const batchMax = 100

/** Comments are removed when what they are about was deleted in catalog, or lived in what was, and its time is over. */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '43 * * * *', payload: {} },
  async run(ctx, _, signal) {
    for (let hasMore = true; hasMore; ) {
      const pageToken = await readProgress(ctx.db)
      const page = await ctx.catalog.listDeletedNodes(
        { pageToken, types: targetTypes },
        { ...actAsSystem(), signal },
      )
      if (page.ids.length > 0) await purge(ctx, page.ids, signal)
      // What is told of once more, after a crash, is gone already.
      await saveProgress(ctx.db, page.nextPageToken)
      hasMore = page.hasMore
    }
  },
})

async function purge(ctx: Ctx, targetIds: string[], signal: AbortSignal) {
  for (let purged = 1; purged > 0; ) {
    signal.throwIfAborted()
    purged = await ctx.write((db) => purgeComments(db, targetIds, batchMax))
  }
  await ctx.write((db) => deleteTargets(db, targetIds))
}
