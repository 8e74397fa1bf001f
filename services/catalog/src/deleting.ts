import { notFound } from '@figbase/kit'
import type { Ctx } from './context.js'
import type { Tx } from './db/schema.js'
import type { By } from './domain/by.js'
import { canonicalPayload } from './domain/payload.js'
import type { Subject } from './domain/subject.js'
import { nounOf } from './domain/types.js'
import { versionMismatch } from './errors.js'
import { insertActivity } from './queries/activity.js'
import { countWith, negative } from './queries/counts.js'
import { lockedNode, lockPath } from './queries/locks.js'
import type { NodeAccess } from './queries/nodes.js'
import { dissolve } from './queries/organizations.js'
import { insertDeltas, markDeleted } from './queries/writes.js'

type Deletion = {
  subject: Subject
  expectedVersion?: number | undefined
  /** Nobody restores it. */
  isFinal?: boolean
}

/** One tombstone, whatever the size of what is below. The workspaces of an organization stay. */
export async function deleteTree(
  ctx: Ctx,
  tx: Tx,
  before: NodeAccess,
  by: By,
  { subject, expectedVersion, isFinal = false }: Deletion,
): Promise<void> {
  const { id, type } = before
  const path = await lockPath(tx, before.lineage.slice(0, -1))
  if (!path) throw notFound(nounOf[type])
  const node = await lockedNode(tx, before, subject)
  if (!node) throw notFound(nounOf[type])
  if (expectedVersion !== undefined && expectedVersion !== node.version) throw versionMismatch()
  if (type === 'organization') await dissolve(tx, id)
  const { actor } = by
  const { lineage, size_bytes } = node
  const at = await markDeleted(tx, lineage, actor, isFinal)
  const counts = negative(await countWith(tx, id, type))
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
  ctx.published(tx)
}
