import { defineJob, type Job, resumePages } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { deleteWebhooksOf } from '../queries/webhooks.js'

const types = [NodeType.WORKSPACE, NodeType.ORGANIZATION]

/** Deletes the webhooks of workspaces and organizations that can no longer be restored. */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '57 * * * *', payload: {} },
  async run(ctx, _, signal) {
    const asSystem = { ...actAsSystem(), signal }
    await resumePages(
      ctx.db,
      (pageToken) => ctx.catalog.listDeletedNodes({ pageToken, types }, asSystem),
      (ids) => ctx.write((db) => deleteWebhooksOf(db, ids)),
    )
  },
})
