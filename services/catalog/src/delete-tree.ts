import { notFound } from '@figbase/kit/errors'
import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import type { Attribution } from './domain/attribution.js'
import { canonicalPayload } from './domain/payload.js'
import type { Subject } from './domain/subject.js'
import { nounOf } from './domain/types.js'
import { versionMismatch } from './errors.js'
import type { NodeAccess } from './queries/access.js'
import { insertActivity } from './queries/activity.js'
import { countSubtree, negated } from './queries/counts.js'
import { lockPath, lockSubtree } from './queries/locks.js'
import { detachWorkspaces } from './queries/organizations.js'
import { insertDeltas, markDeleted } from './queries/writes.js'

type Deletion = {
  subject: Subject
  expectedVersion?: number | undefined
  /** True: the deletion can never be restored. */
  isFinal?: boolean
}

/**
 * Deletes a node and everything below it with one tombstone, whatever the size of the subtree. The workspaces
 * of a deleted organization stay.
 */
export async function deleteTree(
  ctx: Ctx,
  tx: Tx,
  before: NodeAccess,
  by: Attribution,
  { subject, expectedVersion, isFinal = false }: Deletion,
): Promise<void> {
  const { id, type } = before
  const path = await lockPath(tx, before.lineage.slice(0, -1))
  if (!path) throw notFound(nounOf[type])
  const node = await lockSubtree(tx, before, subject)
  if (!node) throw notFound(nounOf[type])
  if (expectedVersion !== undefined && expectedVersion !== node.version) throw versionMismatch()
  if (type === 'organization') await detachWorkspaces(tx, id)
  const { actor } = by
  const { lineage, size_bytes } = node
  const at = await markDeleted(tx, lineage, actor, isFinal)
  const counts = negated(await countSubtree(tx, id, type))
  await insertDeltas(tx, { lineage, sizeBytes: -size_bytes, children: -1, counts, at, actor })
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    at,
    action: 'delete',
    ...by,
    target: { id, type, name: node.name },
    lineage,
    places: [...path, { id, type }],
    payload: canonicalPayload({ size_bytes }),
  })
  ctx.wakeRelay(tx)
}
