import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize, permissionToComment } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf, typeOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess, findGrowth, type GrowthAccess, type NodeAccess } from '../queries/nodes.js'
import { storageQuota } from '../quota.js'

type Impl = ServiceImpl<typeof CatalogService>

/** What may store something. */
const growing = [Permission.CREATE, Permission.UPDATE]

export function checkAccess(ctx: Ctx): Impl['checkAccess'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    if (!(req.permission in Permission)) throw invalid('permission', 'is unknown')
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    if (growing.includes(req.permission)) {
      const found = await findGrowth(ctx.db, id, subject)
      return growth(ctx, authorize(found, req.permission, subject, kind))
    }
    const found = await findAccess(ctx.db, id, subject)
    const isToComment = req.permission === Permission.COMMENT
    const permission = isToComment ? permissionToComment(ctx.cfg) : req.permission
    return answer(authorize(found, permission, subject, kind))
  }
}

const answer = ({ type, workspace_id }: NodeAccess) => ({
  type: typeOf(type),
  workspaceId: workspace_id ?? '',
})

/** With how much more can be stored, and where. */
async function growth(ctx: Ctx, node: GrowthAccess) {
  const { workspace_id: workspaceId, storage_id: storageId } = node
  const isLimited = workspaceId !== null && (await ctx.isStorageLimited())
  const quota = isLimited ? await storageQuota(ctx.db, workspaceId) : undefined
  return {
    ...answer(node),
    storageId: storageId ?? '',
    ...(quota && { storageBytesLeft: quota.left }),
  }
}
