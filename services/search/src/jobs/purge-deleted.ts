import { defineJob, type Job, resumePages } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { removeObjects } from '../indexing/remove-objects.js'

const types = [NodeType.FIGURE, NodeType.FIGURE_REVISION, NodeType.ASSET, NodeType.ASSET_REVISION]

/** Removes objects from the index that can no longer be restored in catalog. */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '53 * * * *', payload: {} },
  async run(ctx, _, signal) {
    const asSystem = { ...actAsSystem(), signal }
    await resumePages(
      ctx.db,
      (pageToken) => ctx.catalog.listDeletedNodes({ pageToken, types }, asSystem),
      (ids) => removeObjects(ctx, ids),
    )
  },
})
