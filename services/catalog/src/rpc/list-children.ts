import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { childCursors } from '../domain/child-cursor.js'
import { parseFilter, requireOrder } from '../domain/child-filter.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listChildren as listRows } from '../queries/children.js'
import { toNode } from '../wire.js'
import { toOrderedPage } from './ordered-page.js'
import { withNewestRevisions } from './with-newest-revisions.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listChildren(ctx: Ctx): Impl['listChildren'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const parentId = uuidOrNotFound(req.parentId, subject)
    authorize(await findAccess(ctx.db, parentId, subject), Permission.VIEW, subject)
    const type = kindOf(req.type)
    if (!type) throw invalid('type', 'is required')
    const limit = pageSize(req.pageSize)
    const order = requireOrder(req.order, type)
    const after = childCursors.decode(order, req.pageToken)
    const view = { order, filter: parseFilter(req.filter), after }
    const rows = await listRows(ctx.db, { parentId, type, limit: limit + 1 }, view)
    const page = toOrderedPage(rows, limit, order, childCursors)
    const nodes = page.rows.map(toNode)
    return {
      nodes: await withNewestRevisions(ctx.db, nodes, req.newestRevisions),
      nextPageToken: page.nextPageToken,
    }
  }
}
