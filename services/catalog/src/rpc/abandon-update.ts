import type { ServiceImpl } from '@connectrpc/connect'
import { isUuid, principal, requireUser } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { deleteHold } from '../queries/content-updates.js'

type Impl = ServiceImpl<typeof CatalogService>

export function abandonUpdate(ctx: Ctx): Impl['abandonUpdate'] {
  return async ({ updateId }, call) => {
    const { isSystem } = principal(call)
    const heldBy = isSystem ? null : requireUser(call)
    if (isUuid(updateId)) await ctx.write((db) => deleteHold(db, updateId, heldBy))
    return {}
  }
}
