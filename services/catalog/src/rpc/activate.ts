import type { ServiceImpl } from '@connectrpc/connect'
import { denied, invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Principal } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import { attributionOf } from '../domain/attribution.js'
import { busy } from '../errors.js'
import { activateNode } from '../queries/creation.js'
import { findActivated, findReserved } from '../queries/reservations.js'
import { toNode } from '../wire.js'
import { checkedUses, checkLeaves } from './checked-fields.js'

type Impl = ServiceImpl<typeof CatalogService>

export function activate(ctx: Ctx): Impl['activate'] {
  return async (req, call) => {
    const caller = principal(call)
    if (!caller.isSystem) requireUser(call)
    if (!isUuid(req.id)) throw notFound('this reservation')
    const { id, leaves, position, ownBytes } = req
    if (position < 0) throw invalid('position', 'must not be negative')
    checkLeaves(leaves, ownBytes)
    const activation = {
      id,
      leaves,
      ownBytes,
      uses: checkedUses(req.uses),
      position,
      reservedBy: caller.isSystem ? null : caller.username,
      by: attributionOf(call, req.silent),
      entryId: ctx.newOrderedId(),
    }
    for (let attempt = 1; attempt <= attemptsMax; attempt++) {
      const node =
        (await ctx.write((db) => activateNode(db, activation), {
          publishes: true,
          enqueues: (made) => made?.has_job === true,
        })) ?? (await findEarlierActivation(ctx, id, caller))
      if (node) return { node: toNode(node) }
    }
    throw busy()
  }
}

const attemptsMax = 5

/** The node if it is already active; undefined when it was moved meanwhile. Throws when it cannot be activated. */
async function findEarlierActivation(ctx: Ctx, id: string, { isSystem, username }: Principal) {
  const reserved = await findReserved(ctx.db, id)
  if (!reserved) throw notFound('this reservation')
  if (!isSystem && username !== reserved.created_by) throw denied('CREATE')
  // Also returns a deleted node: it may be restored, so the owning service must keep its content.
  if (reserved.state === 'active') return findActivated(ctx.db, id)
  if (reserved.is_orphan) throw notFound('the parent')
  return undefined
}
