import type { ServiceImpl } from '@connectrpc/connect'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findNode, findParent } from '../queries/nodes.js'
import { toParent } from '../wire.js'
import { answer } from './answer.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getNode(ctx: Ctx): Impl['getNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const found = await findNode(ctx.db, uuidOrNotFound(req.id, subject, kind), subject)
    const row = authorize(found, Permission.VIEW, subject, kind)
    const node = await answer(ctx.db, row)
    if (!req.withParent || !row.parent_id) return { node }
    const parent = await findParent(ctx.db, row.parent_id, subject)
    const isShown = parent && allows(parent.roles, Permission.VIEW, parent.type)
    return { node, ...(isShown && { parent: toParent(parent) }) }
  }
}
