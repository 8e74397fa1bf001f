import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, encodeCursor, pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize, permissionToComment } from '../access.js'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { listLog } from '../queries/activity-log.js'
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
      throw invalid('offset', `must be between 0 and ${scanMax - 1}`)
    }
    const limit = pageSize(req.pageSize)
    const { entries, counted } = await listLog(ctx.db, node, subject, {
      ...{ excludeDeleted, deduplicate, detailed, offset, scanMax, countMax },
      withComments: allows(node.roles, permissionToComment(ctx.cfg), node.type),
      limit: limit + 1,
      after: decodeCursor(req.pageToken),
    })
    const page = entries.slice(0, limit)
    const last = entries.length > limit ? page.at(-1) : undefined
    return {
      entries: page.map(toActivityEntry),
      nextPageToken: last ? encodeCursor({ createdOn: last.at, seq: last.seq.toString() }) : '',
      totalCount: detailed ? counted : 0,
    }
  }
}
