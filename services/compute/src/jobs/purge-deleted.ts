import type { CallOptions } from '@connectrpc/connect'
import { defineJob, type Job, resumePages } from '@figbase/kit/jobs'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { type Changes, wakeReconciler } from '../change.js'
import type { Ctx } from '../context.js'
import { next } from '../domain/lifecycle.js'
import { changeInstance } from '../queries/change.js'
import type { InstanceRow } from '../queries/instances.js'
import {
  deletePurged,
  listOfOwners,
  listOwners,
  listToPurge,
  markPurged,
} from '../queries/purge.js'

/** At most as many as identity tells about with one call. */
const ownersMax = 1000
const batchMax = 100

/**
 * Terminates the instances of deleted users, and those of workspaces that can no longer be restored, and deletes their
 * volumes at once; the rows of these workspaces follow with the next run, when nothing is left of them.
 */
export const purgeDeleted: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-deleted',
  attemptsMax: 3,
  timeoutMs: 60 * 60_000,
  schedule: { cron: '51 * * * *', payload: {} },
  async run(ctx, _, signal) {
    const as = { ...actAsSystem(), signal }
    await resumePages(
      ctx.db,
      (pageToken) => ctx.catalog.listDeletedNodes({ pageToken, types: [NodeType.WORKSPACE] }, as),
      (ids) => purgeWorkspaces(ctx, ids, signal),
    )
    await terminateOfDeletedUsers(ctx, as, signal)
    for (let deleted = batchMax; deleted === batchMax; ) {
      signal.throwIfAborted()
      deleted = await ctx.write((db) => deletePurged(db, batchMax))
    }
  },
})

async function purgeWorkspaces(ctx: Ctx, workspaceIds: string[], signal: AbortSignal) {
  const list = () => listToPurge(ctx.db, workspaceIds, batchMax)
  await terminateAll(ctx, list, 'Its workspace was deleted.', { is_purged: true }, signal)
  await ctx.write((db) => markPurged(db, workspaceIds))
}

async function terminateOfDeletedUsers(ctx: Ctx, as: CallOptions, signal: AbortSignal) {
  for (let after = ''; ; ) {
    const owners = await listOwners(ctx.db, after, ownersMax)
    if (owners.length === 0) return
    const { usernames } = await ctx.identity.listDeletedUsers({ usernames: owners }, as)
    const list = () => listOfOwners(ctx.db, usernames, batchMax)
    if (usernames.length > 0) await terminateAll(ctx, list, 'Its owner was deleted.', {}, signal)
    after = owners.at(-1) ?? after
  }
}

/** Until there are no more of them: an instance that was changed meanwhile is listed again. */
async function terminateAll(
  ctx: Ctx,
  list: () => Promise<InstanceRow[]>,
  detail: string,
  changes: Changes,
  signal: AbortSignal,
) {
  for (let rows = await list(); rows.length > 0; rows = await list()) {
    for (const row of rows) {
      signal.throwIfAborted()
      await terminate(ctx, row, { ...changes, detail })
    }
  }
}

/** Its volume is deleted at once. */
async function terminate(ctx: Ctx, row: InstanceRow, changes: Changes) {
  const state = next(row, 'terminate')
  const removes_on = new Date().toISOString()
  const event = { kind: state ? 'terminate' : 'purge', text: changes.detail ?? '', actor: '' }
  await ctx.transact(async (tx) => {
    await changeInstance(tx, row, { ...state, ...changes, removes_on }, event)
    ctx.wakeRelay(tx)
    await wakeReconciler(ctx, tx)
  })
}
