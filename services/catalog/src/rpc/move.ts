import { notFound } from '@figbase/kit'
import { Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Db, Tx } from '../db/schema.js'
import { canonicalPayload } from '../domain/payload.js'
import type { Subject } from '../domain/subject.js'
import { nounOf } from '../domain/types.js'
import { versionMismatch } from '../errors.js'
import { insertActivity, organizationLeft } from '../queries/activity.js'
import { countWith, negative } from '../queries/counts.js'
import { lockedNode, lockPath } from '../queries/locks.js'
import { insertDeltas, moveNode } from '../queries/writes.js'
import { checkArrival } from '../quota.js'
import { openParent } from './open-parent.js'
import type { Update } from './update-node.js'

export type Move = Update & { parentId: string; subject: Subject }

/** Moves a node with all below it. Takes DELETE where it is, and CREATE where it goes. */
export async function move(ctx: Ctx & { db: Db }, tx: Tx, request: Move): Promise<void> {
  const { before, parentId, subject } = request
  authorize(before, Permission.DELETE, subject)
  await relocate(ctx, tx, request, await openParent(ctx, before.type, parentId, subject))
}

/** Its size goes with a node; times above the old place stay, as after a delete. */
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
  const node = await lockedNode(tx, before, subject)
  if (!node) throw notFound(nounOf[type])
  const place = { ancestors, workspaceId }
  const moved = await moveNode(tx, { node, ...place, actor, changes, expectedVersion })
  if (!moved) throw versionMismatch()

  const { lineage, size_bytes: size } = node
  const at = moved.updated_on
  const counts = await countWith(tx, id, type)
  const gone = { sizeBytes: -size, children: -1, counts: negative(counts), at, actor }
  await insertDeltas(tx, { lineage, ...gone })
  const there = [...ancestors, id]
  await insertDeltas(tx, { lineage: there, sizeBytes: size, children: 1, counts, at, actor })
  if (workspaceId !== before.workspace_id && (await ctx.isStorageLimited())) {
    await checkArrival(tx, workspaceId)
  }
  const target = { id, type, name: moved.name }
  const payload = canonicalPayload({ ...changes, from: old.at(-1), to: ancestors.at(-1) })
  const entry = { at, action: 'move' as const, ...by, target, payload }
  const on = (ids: string[]) => path.filter((one) => ids.includes(one.id))
  // One entry for each place: what both have in common is in the second alone.
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
    lineage: there,
    places: [...on(ancestors), { id, type }],
  })
}
