import { ConcurrentChange } from '@figbase/kit'
import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import type { By } from './domain/by.js'
import { canonicalPayload } from './domain/payload.js'
import type { Subject } from './domain/subject.js'
import { alreadyPurged, notDeleted, parentDeleted, parentFull, parentMoved } from './errors.js'
import { insertActivity } from './queries/activity.js'
import { countWith } from './queries/counts.js'
import { isSame, lockDeleted, lockPath } from './queries/locks.js'
import { type DeletedAccess, findNode } from './queries/nodes.js'
import { countWorkspaces, holdNode, regain } from './queries/organizations.js'
import { insertDeltas, markRestored } from './queries/writes.js'
import { checkArrival, checkUsersCome } from './quota.js'

/**
 * The reverse of deleteTree: the tombstone goes, and what is below is as it was, for nobody wrote there.
 * What was deleted below before stays deleted. When something comes in between, the transaction is run
 * again, and finds the reason why this cannot come back, or no longer.
 */
export async function restoreTree(
  ctx: Ctx,
  tx: Tx,
  before: DeletedAccess,
  by: By,
  subject: Subject,
): Promise<void> {
  checkRestorable(before)
  const { id, type, lineage } = before
  const ancestors = lineage.slice(0, -1)
  const path = await lockPath(tx, ancestors)
  if (!path) throw new ConcurrentChange('what it lives in was deleted')
  await lockDeleted(tx, id)
  const restored = await markRestored(tx, id, ctx.cfg.deletedRetentionMs)
  if (!restored) throw new ConcurrentChange('it was restored, or its purge began')
  if (!isSame(restored.lineage, lineage)) throw new ConcurrentChange('it was moved')
  await checkRoom(ctx, tx, before, subject)

  const { at } = restored
  const { actor } = by
  const node = await findNode(tx, id, subject)
  if (!node) throw new Error(`${id} was restored, and is not there`)
  const { size_bytes: sizeBytes, name } = node
  const counts = await countWith(tx, id, type)
  await insertDeltas(tx, { lineage, sizeBytes, children: 1, counts, at, actor })
  if (type === 'organization') await regain(tx, id)
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
  ctx.published(tx)
}

function checkRestorable({ is_deleted, is_over, is_moved, parent }: DeletedAccess) {
  if (is_over) throw alreadyPurged()
  if (parent) throw parentDeleted(parent)
  if (!is_deleted) throw notDeleted()
  if (is_moved) throw parentMoved()
}

/** Others may have taken its place. Of an organization the count is exact, as for who joins it. */
async function checkRoom({ cfg }: Ctx, tx: Tx, before: DeletedAccess, subject: Subject) {
  const { parent_id, organization_id } = before
  if (organization_id) {
    if (!(await holdNode(tx, organization_id)))
      throw new ConcurrentChange('its organization is gone')
    if ((await countWorkspaces(tx, organization_id)) > cfg.childrenMax)
      throw parentFull(cfg.childrenMax)
  }
  const parent = parent_id && (await findNode(tx, parent_id, subject))
  if (parent && parent.children >= cfg.childrenMax) throw parentFull(cfg.childrenMax)
}

/** A workspace that is in no organization has its plan for itself: nothing came to it. */
async function checkPlan(
  ctx: Ctx,
  tx: Tx,
  { id, type, workspace_id, organization_id }: DeletedAccess,
) {
  if (type === 'workspace' && !organization_id) return
  const holderOf = workspace_id ?? id
  if (await ctx.isStorageLimited()) await checkArrival(tx, holderOf)
  if (type === 'workspace' || type === 'organization') await checkUsersCome(tx, holderOf)
}
