import type { ServiceImpl } from '@connectrpc/connect'
import { principal } from '@figbase/kit/rpc'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { endAutoAssign as end } from '../queries/writes.js'

type Impl = ServiceImpl<typeof CatalogService>

export function endAutoAssign(ctx: Ctx): Impl['endAutoAssign'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.id, subject, 'figure')
    if (!principal(call).isSystem) {
      authorize(await findAccess(ctx.db, id, subject), Permission.UPDATE, subject, 'figure')
    }
    await ctx.write((db) => end(db, id))
    return {}
  }
}
