import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { ageCursors } from '../domain/child-cursor.js'
import { parseFilter, requireOrder } from '../domain/child-filter.js'
import { subjectOf } from '../domain/subject.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listScoped } from '../queries/scoped-assets.js'
import { toNode } from '../wire.js'
import { toOrderedPage } from './ordered-page.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listScopedAssets(ctx: Ctx): Impl['listScopedAssets'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.analysisId, subject, 'analysis')
    const found = await findAccess(ctx.db, id, subject)
    const { workspace_id } = authorize(found, Permission.VIEW, subject, 'analysis')
    const limit = pageSize(req.pageSize)
    const order = requireOrder(req.order, 'asset')
    const view = {
      order,
      filter: parseFilter(req.filter),
      after: ageCursors.decode(order, req.pageToken),
    }
    const rows = await listScoped(ctx.db, id, workspace_id ?? '', subject, limit + 1, view)
    const page = toOrderedPage(rows, limit, order, ageCursors)
    return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
  }
}
