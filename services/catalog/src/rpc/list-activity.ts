import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, encodeCursor, invalid, pageSize } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize, permissionToComment } from '../access.js'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { listLog } from '../queries/log.js'
import { findAccess } from '../queries/nodes.js'
import { toActivityEntry } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listActivity(ctx: Ctx): Impl['listActivity'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const found = await findAccess(ctx.db, id, subject)
    const node = authorize(found, Permission.VIEW, subject, kind)
    const { activityScanMax: scanMax, activityCountMax: countMax } = ctx.cfg
    const { excludeDeleted, deduplicate, detailed, offset } = req
    if (offset < 0 || offset >= scanMax) {
      throw invalid('offset', `must be from 0 to ${scanMax - 1}`)
    }
    const limit = pageSize(req.pageSize)
    const { entries, counted } = await listLog(ctx.db, node, subject, {
      ...{ excludeDeleted, deduplicate, detailed, offset, scanMax, countMax },
      withComments: allows(node.roles, permissionToComment(ctx.cfg), node.type),
      limit: limit + 1,
      after: decodeCursor(req.pageToken),
    })
    const shown = entries.slice(0, limit)
    const last = entries.length > limit ? shown.at(-1) : undefined
    return {
      entries: shown.map(toActivityEntry),
      nextPageToken: last ? encodeCursor({ createdOn: last.at, seq: last.seq.toString() }) : '',
      totalCount: detailed ? counted : 0,
    }
  }
}
