import { actAsSystem, defineJob, type Job } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { readProgress, saveProgress } from '../queries/purge-progress.js'
import { deleteRevision } from '../queries/revisions.js'

const types = [NodeType.FIGURE_REVISION, NodeType.ASSET_REVISION]

/** Revisions that were deleted in catalog, or with something above them, are removed when catalog says that their time is over. */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '37 * * * *', payload: {} },
  async run(ctx, _, signal) {
    for (let hasMore = true; hasMore; ) {
      const pageToken = await readProgress(ctx.db)
      const page = await ctx.catalog.listDeletedNodes(
        { pageToken, types },
        { ...actAsSystem(), signal },
      )
      for (const id of page.ids) {
        signal.throwIfAborted()
        await ctx.write((db) => deleteRevision(db, id, { retires: true }))
      }
      // What is told of once more, after a crash, is gone already.
      await saveProgress(ctx.db, page.nextPageToken)
      hasMore = page.hasMore
    }
  },
})
