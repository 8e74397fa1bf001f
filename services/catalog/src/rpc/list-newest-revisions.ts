import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listNewestRevisions as listIds } from '../queries/newest-revisions.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listNewestRevisions(ctx: Ctx): Impl['listNewestRevisions'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    authorize(await findAccess(ctx.db, id, subject), Permission.VIEW, subject, kind)
    return { ids: await listIds(ctx.db, id, pageSize(req.pageSize)) }
  }
}
