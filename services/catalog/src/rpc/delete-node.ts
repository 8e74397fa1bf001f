import type { ServiceImpl } from '@connectrpc/connect'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { deleteTree } from '../delete-tree.js'
import { attributionOf } from '../domain/attribution.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { cannotDeletePrimary } from '../errors.js'
import { findAccess } from '../queries/access.js'

type Impl = ServiceImpl<typeof CatalogService>

export function deleteNode(ctx: Ctx): Impl['deleteNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, subject)
      const node = authorize(found, Permission.DELETE, subject, kind)
      if (node.workspace_type === 'primary') throw cannotDeletePrimary()
      const { expectedVersion } = req
      await deleteTree(ctx, tx, node, attributionOf(call, req.silent), { subject, expectedVersion })
    })
    return {}
  }
}
