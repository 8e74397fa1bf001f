import type { ServiceImpl } from '@connectrpc/connect'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { deleteTree } from '../deleting.js'
import { byOf } from '../domain/by.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { primaryStays } from '../errors.js'
import { findAccess } from '../queries/nodes.js'

type Impl = ServiceImpl<typeof CatalogService>

export function deleteNode(ctx: Ctx): Impl['deleteNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, subject)
      const node = authorize(found, Permission.DELETE, subject, kind)
      if (node.workspace_type === 'primary') throw primaryStays()
      const { expectedVersion } = req
      await deleteTree(ctx, tx, node, byOf(call, req.silent), { subject, expectedVersion })
    })
    return {}
  }
}
