import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, encodeCursor, pageSize } from '@figbase/kit/db'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listStale } from '../queries/stale.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listStaleFigures(ctx: Ctx): Impl['listStaleFigures'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.workspaceId, subject, 'workspace')
    authorize(await findAccess(ctx.db, id, subject), Permission.VIEW, subject, 'workspace')
    const limit = pageSize(req.pageSize)
    const { staleScanMax: scanMax } = ctx.cfg
    const after = decodeCursor(req.pageToken)
    const page = { workspaceId: id, limit, scanMax, after }
    const { figures, next } = await listStale(ctx.db, subject, page)
    return { figures: figures.map(toNode), nextPageToken: next ? encodeCursor(next) : '' }
  }
}
