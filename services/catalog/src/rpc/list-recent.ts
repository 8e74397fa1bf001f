import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listRecentOfMember, listRecent as listRows } from '../queries/recent.js'
import { toNode } from '../wire.js'
import { withNewestRevisions } from './with-newest-revisions.js'

type Impl = ServiceImpl<typeof CatalogService>

/** In all workspaces of the caller. */
const nodesMax = 100

export function listRecent(ctx: Ctx): Impl['listRecent'] {
  return async (req, call) => {
    const id = await checkedWorkspace(ctx, req.workspaceId, call)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const limit = pageSize(req.pageSize)
    const rows = id
      ? await listRows(ctx.db, id, kind, limit)
      : await listRecentOfMember(ctx.db, subjectOf(call), kind, Math.min(limit, nodesMax))
    return { nodes: await withNewestRevisions(ctx.db, rows.map(toNode), req.newestRevisions) }
  }
}

/** The workspace, which the caller may view; undefined for all workspaces of the caller. */
async function checkedWorkspace({ db }: Ctx, text: string, call: HandlerContext) {
  if (text === '') {
    requireUser(call)
    return undefined
  }
  const subject = subjectOf(call)
  const id = uuidOrNotFound(text, subject, 'workspace')
  authorize(await findAccess(db, id, subject), Permission.VIEW, subject, 'workspace')
  return id
}
