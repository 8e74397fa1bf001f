import type { ServiceImpl } from '@connectrpc/connect'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { deleteUpdateReservation } from '../queries/content-updates.js'

type Impl = ServiceImpl<typeof CatalogService>

export function abandonUpdate(ctx: Ctx): Impl['abandonUpdate'] {
  return async ({ updateId }, call) => {
    const { isSystem } = principal(call)
    const reservedBy = isSystem ? null : requireUser(call)
    if (isUuid(updateId)) await ctx.write((db) => deleteUpdateReservation(db, updateId, reservedBy))
    return {}
  }
}
