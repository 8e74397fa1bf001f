import { notFound } from '@figbase/kit/errors'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, Tx } from '../db/schema.js'
import { canonicalPayload } from '../domain/payload.js'
import type { Subject } from '../domain/subject.js'
import { nounOf } from '../domain/types.js'
import { versionMismatch } from '../errors.js'
import { insertActivity, organizationLeft } from '../queries/activity.js'
import { countSubtree, negated } from '../queries/counts.js'
import { lockPath, lockSubtree } from '../queries/locks.js'
import { insertDeltas, moveNode } from '../queries/writes.js'
import { checkStorageUsage } from '../quota.js'
import { authorizeParent } from './authorize-parent.js'
import type { Update } from './update-node.js'

export type Move = Update & { parentId: string; subject: Subject }

/** Moves a node with its subtree. Takes DELETE on the node and CREATE on the new parent. */
export async function move(ctx: Ctx & { db: Db }, tx: Tx, request: Move): Promise<void> {
  const { before, parentId, subject } = request
  authorize(before, Permission.DELETE, subject)
  await relocate(ctx, tx, request, await authorizeParent(ctx, before.type, parentId, subject))
}

/** Moves the size of the node to the new ancestors. Times of the old ancestors stay, as after a delete. */
export async function relocate(
  ctx: Ctx,
  tx: Tx,
  { before, subject, changes, expectedVersion, by }: Omit<Move, 'parentId'>,
  { lineage: ancestors, workspaceId }: { lineage: string[]; workspaceId: string },
): Promise<void> {
  const { id, type } = before
  const { actor } = by
  const old = before.lineage.slice(0, -1)
  const path = await lockPath(tx, old, ancestors)
  if (!path) throw notFound(nounOf[type])
  const node = await lockSubtree(tx, before, subject)
  if (!node) throw notFound(nounOf[type])
  const place = { ancestors, workspaceId }
  const moved = await moveNode(tx, { node, ...place, actor, changes, expectedVersion })
  if (!moved) throw versionMismatch()

  const { lineage, size_bytes: size } = node
  const at = moved.updated_on
  const counts = await countSubtree(tx, id, type)
  const removed = { sizeBytes: -size, children: -1, counts: negated(counts), at, actor }
  await insertDeltas(tx, { lineage, ...removed })
  const newLineage = [...ancestors, id]
  await insertDeltas(tx, { lineage: newLineage, sizeBytes: size, children: 1, counts, at, actor })
  if (workspaceId !== before.workspace_id && (await ctx.isStorageLimited())) {
    await checkStorageUsage(tx, workspaceId)
  }
  const target = { id, type, name: moved.name }
  const payload = canonicalPayload({ ...changes, from: old.at(-1), to: ancestors.at(-1) })
  const entry = { at, action: 'move' as const, ...by, target, payload }
  const on = (ids: string[]) => path.filter((one) => ids.includes(one.id))
  // One entry for each place. Common ancestors get the second entry only.
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    ...entry,
    isDeparture: true,
    lineage,
    places: on(old.filter((one) => !ancestors.includes(one))),
    organizationId: await organizationLeft(tx, before.workspace_id, workspaceId),
  })
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    ...entry,
    lineage: newLineage,
    places: [...on(ancestors), { id, type }],
  })
}
