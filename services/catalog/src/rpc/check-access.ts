import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf, typeOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/nodes.js'
import { storageQuota } from '../quota.js'

type Impl = ServiceImpl<typeof CatalogService>

/** What may store something. */
const growing = [Permission.CREATE, Permission.UPDATE]

export function checkAccess(ctx: Ctx): Impl['checkAccess'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    if (!(req.permission in Permission)) throw invalid('permission', 'is unknown')
    const kind = kindOf(req.type)
    const found = await findAccess(ctx.db, uuidOrNotFound(req.id, subject, kind), subject)
    const node = authorize(found, req.permission, subject, kind)
    const workspaceId = node.workspace_id ?? ''
    const isAsked = growing.includes(req.permission) && workspaceId !== ''
    const quota =
      isAsked && (await ctx.isStorageLimited())
        ? await storageQuota(ctx.db, workspaceId)
        : undefined
    return {
      type: typeOf(node.type),
      workspaceId,
      ...(quota && { storageBytesLeft: quota.left }),
    }
  }
}
