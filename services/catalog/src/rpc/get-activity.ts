import type { ServiceImpl } from '@connectrpc/connect'
import { isUuid, notFound } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize, permissionToComment } from '../access.js'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findLogEntry } from '../queries/log.js'
import { findAccess } from '../queries/nodes.js'
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
    const wanted = { entryId, withComments }
    const entry = isUuid(entryId) ? await findLogEntry(ctx.db, node, subject, wanted) : undefined
    if (!entry) throw notFound('this entry of the log')
    return { entry: toActivityEntry(entry) }
  }
}
