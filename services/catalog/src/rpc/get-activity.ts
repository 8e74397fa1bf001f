import type { ServiceImpl } from '@connectrpc/connect'
import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize, permissionToComment } from '../access.js'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { findLogEntry } from '../queries/activity-log.js'
import { toActivityEntry } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getActivity(ctx: Ctx): Impl['getActivity'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const found = await findAccess(ctx.db, id, subject)
    const node = authorize(found, Permission.VIEW, subject, kind)
    const { entryId } = req
    const withComments = allows(node.roles, permissionToComment(ctx.cfg), node.type)
    const options = { entryId, withComments }
    const entry = isUuid(entryId) ? await findLogEntry(ctx.db, node, subject, options) : undefined
    if (!entry) throw notFound('this activity entry')
    return { entry: toActivityEntry(entry) }
  }
}
