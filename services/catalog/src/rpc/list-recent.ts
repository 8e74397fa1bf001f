import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listRecent as listRows } from '../queries/recent.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listRecent(ctx: Ctx): Impl['listRecent'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.workspaceId, subject, 'workspace')
    authorize(await findAccess(ctx.db, id, subject), Permission.VIEW, subject, 'workspace')
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    return { nodes: (await listRows(ctx.db, id, kind, pageSize(req.pageSize))).map(toNode) }
  }
}
