import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, invalid, pageSize, requireUser, toPage } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { kindOf } from '../domain/types.js'
import { listReadable } from '../queries/nodes.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listNodes(ctx: Ctx): Impl['listNodes'] {
  return async (req, call) => {
    const subject = requireUser(call)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listReadable(ctx.db, kind, subject, limit + 1, after), limit)
    return { nodes: page.rows.map(toNode), nextPageToken: page.nextPageToken }
  }
}
