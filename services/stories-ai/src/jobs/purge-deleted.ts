import { defineJob, type Job, resumePages } from '@figbase/kit/jobs'
import { openDeletions } from '@figbase/kit/objects'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listExportsOf } from '../queries/exports.js'
import { deleteStories } from '../queries/stories.js'
import { deleteListed } from './delete-exports.js'

/** Each with all of its versions. */
const batchMax = 20

/** Purges stories that can no longer be restored in catalog, with their exports. */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '47 * * * *', payload: {} },
  async run(ctx, _, signal) {
    const asSystem = { ...actAsSystem(), signal }
    await using deletions = await openDeletions(ctx.database, signal)
    await resumePages(
      ctx.db,
      (pageToken) => ctx.catalog.listDeletedNodes({ pageToken, types: [NodeType.STORY] }, asSystem),
      async (ids) => {
        for (let at = 0; at < ids.length; at += batchMax) {
          signal.throwIfAborted()
          const some = ids.slice(at, at + batchMax)
          await deleteListed(ctx, deletions, (limit) => listExportsOf(ctx.db, some, limit))
          await ctx.write((db) => deleteStories(db, some))
        }
      },
    )
  },
})
