import type { ServiceImpl } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { decodeChildCursor, encodeChildCursor } from '../domain/child-cursor.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listChildren as listRows } from '../queries/node-lists.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listChildren(ctx: Ctx): Impl['listChildren'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const parentId = uuidOrNotFound(req.parentId, subject)
    authorize(await findAccess(ctx.db, parentId, subject), Permission.VIEW, subject)
    const kind = kindOf(req.type)
    if (!kind) throw invalid('type', 'is required')
    const limit = pageSize(req.pageSize)
    const after = decodeChildCursor(req.pageToken)
    const rows = await listRows(ctx.db, parentId, kind, limit + 1, after)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      nodes: rows.slice(0, limit).map(toNode),
      nextPageToken: last ? encodeChildCursor(last) : '',
    }
  }
}
