import type { ServiceImpl } from '@connectrpc/connect'
import { denied, invalid, isUuid, notFound, principal, requestId, requireUser } from '@figbase/kit'
import type { ActivateRequest, CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { StoredNode, Tx } from '../db/schema.js'
import { insertActivity } from '../queries/activity.js'
import { findNode, lockNode, lockPath } from '../queries/nodes.js'
import { insertDeltas, insertLeaves } from '../queries/writes.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function activate(ctx: Ctx): Impl['activate'] {
  return async (req, call) => {
    const caller = principal(call)
    if (!caller.isSystem) requireUser(call)
    if (!isUuid(req.id)) throw notFound('this reservation')
    checkNumbers(req)
    const node = await ctx.transact(async (tx) => {
      const reserved = await lockNode(tx, req.id)
      if (!reserved || reserved.deleted_on) throw notFound('this reservation')
      if (!caller.isSystem && caller.username !== reserved.created_by) throw denied('CREATE')
      if (reserved.state === 'pending') await makeVisible(ctx, tx, reserved, req, requestId(call))
      return findNode(tx, req.id, reserved.created_by)
    })
    // Activated before, and what it lived in was deleted since.
    if (!node) throw notFound('this object')
    return { node: toNode(node) }
  }
}

/** The owner counts them; a wrong one would spoil the sums of every ancestor. */
function checkNumbers({ leaves, position }: ActivateRequest) {
  if (position < 0) throw invalid('position', 'must not be negative')
  for (const { id, sizeBytes } of leaves) {
    if (!isUuid(id)) throw invalid('leaves', 'an id is not a UUID')
    if (sizeBytes < 0n) throw invalid('leaves', 'a size is negative')
  }
  const ids = new Set(leaves.map((leaf) => leaf.id.toLowerCase()))
  if (ids.size < leaves.length) throw invalid('leaves', 'an id occurs twice')
}

async function makeVisible(
  ctx: Ctx,
  tx: Tx,
  { id, type, name, lineage, created_on: at, created_by: actor }: StoredNode,
  req: ActivateRequest,
  requestIdOfCall: string,
) {
  const path = await lockPath(tx, lineage.slice(0, -1))
  if (!path) throw notFound('what this was created in')
  const size = req.leaves.reduce((sum, leaf) => sum + leaf.sizeBytes, 0n)
  await tx
    .updateTable('node')
    .set({ state: 'active', size_bytes: size, position: req.position })
    .where('id', '=', id)
    .execute()
  await insertLeaves(tx, id, req.leaves)
  await insertDeltas(tx, { lineage, sizeBytes: size, children: 1, at, actor })
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    at,
    action: 'create',
    actor,
    requestId: requestIdOfCall,
    isSilent: req.silent,
    target: { id, type, name },
    path: [...path, { id, type }],
  })
}
