import type { ServiceImpl } from '@connectrpc/connect'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { attributionOf } from '../domain/attribution.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findDeleted } from '../queries/access.js'
import { restoreTree } from '../restore-tree.js'

type Impl = ServiceImpl<typeof CatalogService>

export function restoreNode(ctx: Ctx): Impl['restoreNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const { deletedRetentionMs } = ctx.cfg
    await ctx.transact(async (tx) => {
      const found = await findDeleted(tx, id, subject, deletedRetentionMs)
      const node = authorize(found, Permission.DELETE, subject, kind)
      await restoreTree(ctx, tx, node, attributionOf(call, req.silent), subject)
    })
    return {}
  }
}
