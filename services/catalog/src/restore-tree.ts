import { ConcurrentChange } from '@figbase/kit/db'
import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import type { Attribution } from './domain/attribution.js'
import { canonicalPayload } from './domain/payload.js'
import type { Subject } from './domain/subject.js'
import { alreadyPurged, notDeleted, parentDeleted, parentFull, parentMoved } from './errors.js'
import type { DeletedAccess } from './queries/access.js'
import { insertActivity } from './queries/activity.js'
import { countSubtree } from './queries/counts.js'
import { isSamePath, lockDeletedNode, lockNode, lockPath } from './queries/locks.js'
import { findNode } from './queries/nodes.js'
import { countWorkspaces, reattachWorkspaces } from './queries/organizations.js'
import { insertDeltas, markRestored } from './queries/writes.js'
import { checkStorageUsage, checkUserCount } from './quota.js'

/**
 * Reverses deleteTree by deleting the tombstone. The nodes below are unchanged, since nobody can write below a
 * deleted node; those with a tombstone of their own stay deleted. A concurrent change runs the transaction
 * again, which then finds why the node cannot be restored.
 */
export async function restoreTree(
  ctx: Ctx,
  tx: Tx,
  before: DeletedAccess,
  by: Attribution,
  subject: Subject,
): Promise<void> {
  checkRestorable(before)
  const { id, type, lineage } = before
  const ancestors = lineage.slice(0, -1)
  const path = await lockPath(tx, ancestors)
  if (!path) throw new ConcurrentChange('an ancestor was deleted')
  await lockDeletedNode(tx, id)
  const restored = await markRestored(tx, id, ctx.cfg.deletedRetentionMs)
  if (!restored) throw new ConcurrentChange('the node was restored, or its purge began')
  if (!isSamePath(restored.lineage, lineage)) throw new ConcurrentChange('the node was moved')
  await checkCapacity(ctx, tx, before, subject)

  const { at } = restored
  const { actor } = by
  const node = await findNode(tx, id, subject)
  if (!node) throw new Error(`node ${id} not found after its restoration`)
  const { size_bytes: sizeBytes, name } = node
  const counts = await countSubtree(tx, id, type)
  await insertDeltas(tx, { lineage, sizeBytes, children: 1, counts, at, actor })
  if (type === 'organization') await reattachWorkspaces(tx, id)
  await checkPlan(ctx, tx, before)
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    at,
    action: 'restore',
    ...by,
    target: { id, type, name },
    lineage,
    places: [...path, { id, type }],
    payload: canonicalPayload({ size_bytes: sizeBytes }),
  })
  ctx.wakeRelay(tx)
}

function checkRestorable({ is_deleted, is_over, is_moved, parent }: DeletedAccess) {
  if (is_over) throw alreadyPurged()
  if (parent) throw parentDeleted(parent)
  if (!is_deleted) throw notDeleted()
  if (is_moved) throw parentMoved()
}

/** The parent may be full by now. The limit of an organization is exact: its row is locked. */
async function checkCapacity({ cfg }: Ctx, tx: Tx, before: DeletedAccess, subject: Subject) {
  const { parent_id, organization_id } = before
  if (organization_id) {
    if (!(await lockNode(tx, organization_id)))
      throw new ConcurrentChange('the organization was deleted')
    if ((await countWorkspaces(tx, organization_id)) > cfg.childrenMax)
      throw parentFull(cfg.childrenMax)
  }
  const parent = parent_id && (await findNode(tx, parent_id, subject))
  if (parent && parent.children >= cfg.childrenMax) throw parentFull(cfg.childrenMax)
}

/** A workspace outside any organization has a plan of its own, so its usage does not grow by the restoration. */
async function checkPlan(
  ctx: Ctx,
  tx: Tx,
  { id, type, workspace_id, organization_id }: DeletedAccess,
) {
  if (type === 'workspace' && !organization_id) return
  const holderOf = workspace_id ?? id
  if (await ctx.isStorageLimited()) await checkStorageUsage(tx, holderOf)
  if (type === 'workspace' || type === 'organization') await checkUserCount(tx, holderOf)
}
