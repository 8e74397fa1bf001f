import type { ServiceImpl } from '@connectrpc/connect'
import { denied, invalid, isUuid, notFound, principal, requireUser } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Principal } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import { byOf } from '../domain/by.js'
import { busy } from '../errors.js'
import { activateNode } from '../queries/creation.js'
import { findActivated, findReserved } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { checkLeaves } from './checked-members.js'

type Impl = ServiceImpl<typeof CatalogService>

export function activate(ctx: Ctx): Impl['activate'] {
  return async (req, call) => {
    const caller = principal(call)
    if (!caller.isSystem) requireUser(call)
    if (!isUuid(req.id)) throw notFound('this reservation')
    const { id, leaves, position } = req
    if (position < 0) throw invalid('position', 'must not be negative')
    checkLeaves(leaves)
    const activation = {
      id,
      leaves,
      position,
      reservedBy: caller.isSystem ? null : caller.username,
      by: byOf(call, req.silent),
      entryId: ctx.newOrderedId(),
    }
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const node =
        (await ctx.write((db) => activateNode(db, activation), { publishes: true })) ??
        (await known(ctx, id, caller))
      if (node) return { node: toNode(node) }
    }
    throw busy()
  }
}

const attemptsMax = 5

/** What is there already, or why nothing was activated; undefined: it was moved meanwhile. */
async function known(ctx: Ctx, id: string, { isSystem, username }: Principal) {
  const reserved = await findReserved(ctx.db, id)
  if (!reserved) throw notFound('this reservation')
  if (!isSystem && username !== reserved.created_by) throw denied('CREATE')
  // Deleted since, it may be restored: its owner must not take it for one that never was.
  if (reserved.state === 'active') return findActivated(ctx.db, id)
  if (reserved.is_orphan) throw notFound('the parent')
  return undefined
}
