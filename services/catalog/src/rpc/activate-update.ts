import type { ServiceImpl } from '@connectrpc/connect'
import {
  ConcurrentChange,
  denied,
  invalid,
  isUuid,
  notFound,
  principal,
  requireUser,
} from '@figbase/kit'
import { type ActivateUpdateRequest, type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { byOf } from '../domain/by.js'
import { subjectOf } from '../domain/subject.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { applyUpdate, findHold, lockForUpdate } from '../queries/content-updates.js'
import { findNode } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { checkLeaves } from './checked-members.js'

type Impl = ServiceImpl<typeof CatalogService>

export function activateUpdate(ctx: Ctx): Impl['activateUpdate'] {
  return async (req, call) => {
    const { isSystem } = principal(call)
    if (!isSystem) requireUser(call)
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.id, subject)
    const { updateId } = req
    if (!isUuid(updateId)) throw notFound('this update')
    const heldBy = isSystem ? null : subject.username
    const update = {
      updateId,
      content: checkedContent(req),
      by: byOf(call, req.silent),
      entryId: ctx.newOrderedId(),
    }
    const node = await ctx.transact(async (tx) => {
      const isToApply = await lockForUpdate(tx, updateId, id, heldBy)
      if (isToApply && (await applyUpdate(tx, update))) ctx.published(tx)
      if (!isToApply) await checkEnded(tx, updateId, id, heldBy)
      const found = await findNode(tx, id, subject)
      return isSystem || isToApply ? found : authorize(found, Permission.VIEW, subject)
    })
    if (!node) throw notFound('this object')
    return { node: toNode(node) }
  }
}

/** Throws unless there is nothing to apply any more. */
async function checkEnded(tx: Tx, updateId: string, id: string, heldBy: string | null) {
  const hold = await findHold(tx, updateId)
  if (!hold) return
  if (heldBy !== null && heldBy !== hold.created_by) throw denied('UPDATE')
  if (hold.node_id !== id || !hold.is_alive) throw notFound('what this is an update of')
  throw new ConcurrentChange('it was moved')
}

function checkedContent({ leaves, contentVersion }: ActivateUpdateRequest) {
  if (!leaves) return undefined
  if (contentVersion < 1) throw invalid('content_version', 'must be at least 1')
  checkLeaves(leaves.leaves)
  return { contentVersion, leaves: leaves.leaves }
}
