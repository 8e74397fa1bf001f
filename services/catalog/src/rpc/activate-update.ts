import type { ServiceImpl } from '@connectrpc/connect'
import { ConcurrentChange } from '@figbase/kit/db'
import { denied, invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireUser } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import { type ActivateUpdateRequest, type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { attributionOf } from '../domain/attribution.js'
import { subjectOf } from '../domain/subject.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { replaceUses } from '../queries/asset-uses.js'
import { applyUpdate, findUpdateReservation, lockForUpdate } from '../queries/content-updates.js'
import { findNode } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { checkedUses, checkLeaves } from './checked-fields.js'

type Impl = ServiceImpl<typeof CatalogService>

const noteCharsMax = 100

export function activateUpdate(ctx: Ctx): Impl['activateUpdate'] {
  return async (req, call) => {
    const { isSystem } = principal(call)
    if (!isSystem) requireUser(call)
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.id, subject)
    const { updateId } = req
    if (!isUuid(updateId)) throw notFound('this update')
    const reservedBy = isSystem ? null : subject.username
    const update = {
      updateId,
      content: checkedContent(req),
      note: checkedText('note', req.note, { charsMax: noteCharsMax }),
      by: attributionOf(call, req.silent),
      entryId: ctx.newOrderedId(),
    }
    const uses = checkedUses(req.uses)
    const node = await ctx.transact(async (tx) => {
      const isLocked = await lockForUpdate(tx, updateId, id, reservedBy)
      if (isLocked && (await applyUpdate(tx, update))) {
        if (uses) await replaceUses(tx, [uses])
        ctx.wakeRelay(tx)
      }
      if (!isLocked) await checkSettled(tx, updateId, id, reservedBy)
      const found = await findNode(tx, id, subject)
      return isSystem || isLocked ? found : authorize(found, Permission.VIEW, subject)
    })
    if (!node) throw notFound('this object')
    return { node: toNode(node) }
  }
}

/** Throws unless the update was already activated or abandoned. */
async function checkSettled(tx: Tx, updateId: string, id: string, reservedBy: string | null) {
  const reserved = await findUpdateReservation(tx, updateId)
  if (!reserved) return
  if (reservedBy !== null && reservedBy !== reserved.created_by) throw denied('UPDATE')
  if (reserved.node_id !== id || !reserved.is_alive) throw notFound('the updated object')
  throw new ConcurrentChange('the node was moved')
}

function checkedContent(req: ActivateUpdateRequest) {
  const { leaves, contentVersion, texts, ownBytes } = req
  if (!leaves) return undefined
  if (contentVersion < 1) throw invalid('content_version', 'must be at least 1')
  checkLeaves(leaves.leaves, ownBytes)
  return { contentVersion, leaves: leaves.leaves, texts, ownBytes }
}
