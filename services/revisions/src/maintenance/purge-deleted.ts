import { defineJob, type Job, resumePages } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { deleteRepositoriesOf } from '../queries/git-repositories.js'
import { deleteRevision } from '../queries/revisions.js'
import { purgeOfDeletedUsers } from './purge-repositories.js'

/** Git repositories are imported into the last two. */
const types = [
  NodeType.FIGURE_REVISION,
  NodeType.ASSET_REVISION,
  NodeType.ANALYSIS,
  NodeType.WORKSPACE,
]

/**
 * Purges the revisions that catalog deleted, itself or with a parent, after catalog's retention, and the Git repositories
 * of deleted analyses, workspaces and users.
 */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '37 * * * *', payload: {} },
  async run(ctx, _, signal) {
    const asSystem = { ...actAsSystem(), signal }
    await resumePages(
      ctx.db,
      (pageToken) => ctx.catalog.listDeletedNodes({ pageToken, types }, asSystem),
      (ids) => purge(ctx, ids, signal),
    )
    await purgeOfDeletedUsers(ctx, asSystem)
  },
})

async function purge(ctx: Ctx, ids: string[], signal: AbortSignal) {
  await ctx.write((db) => deleteRepositoriesOf(db, ids))
  for (const id of ids) {
    signal.throwIfAborted()
    await ctx.write((db) => deleteRevision(db, id, { retires: true }))
  }
}
