import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize, permissionsOn, permissionToComment } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf, typeOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import {
  findAccess,
  findStorageAccess,
  type NodeAccess,
  type StorageAccess,
} from '../queries/access.js'
import { storageQuota } from '../quota.js'

type Impl = ServiceImpl<typeof CatalogService>

/** The permissions that allow storing data. */
const storing = [Permission.CREATE, Permission.UPDATE]

export function checkAccess(ctx: Ctx): Impl['checkAccess'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    if (!(req.permission in Permission)) throw invalid('permission', 'is unknown')
    const kind = kindOf(req.type)
    const permissionsOf = (found: NodeAccess) =>
      req.withPermissions ? { permissions: permissionsOn(found, subject) } : {}
    const id = uuidOrNotFound(req.id, subject, kind)
    if (storing.includes(req.permission)) {
      const found = await findStorageAccess(ctx.db, id, subject)
      const node = authorize(found, req.permission, subject, kind)
      return { ...(await toStorageResponse(ctx, node)), ...permissionsOf(node) }
    }
    const found = await findAccess(ctx.db, id, subject)
    const isComment = req.permission === Permission.COMMENT
    const permission = isComment ? permissionToComment(ctx.cfg) : req.permission
    const node = authorize(found, permission, subject, kind)
    return { ...toResponse(node), ...permissionsOf(node) }
  }
}

const toResponse = ({ type, workspace_id }: NodeAccess) => ({
  type: typeOf(type),
  workspaceId: workspace_id ?? '',
})

/** The response with the storage left and the storage for new data. */
async function toStorageResponse(ctx: Ctx, node: StorageAccess) {
  const { workspace_id: workspaceId, storage_id: storageId } = node
  const isLimited = workspaceId !== null && (await ctx.isStorageLimited())
  const quota = isLimited ? await storageQuota(ctx.db, workspaceId) : undefined
  return {
    ...toResponse(node),
    storageId: storageId ?? '',
    ...(quota && { storageBytesLeft: quota.left }),
  }
}
