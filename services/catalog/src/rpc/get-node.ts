import type { ServiceImpl } from '@connectrpc/connect'
import { principal } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findNode } from '../queries/nodes.js'
import { answer } from './answer.js'

type Impl = ServiceImpl<typeof CatalogService>

export function getNode(ctx: Ctx): Impl['getNode'] {
  return async (req, call) => {
    const { username } = principal(call)
    const kind = kindOf(req.type)
    const found = await findNode(ctx.db, uuidOrNotFound(req.id, username, kind), username)
    return { node: await answer(ctx.db, authorize(found, Permission.VIEW, username, kind)) }
  }
}
