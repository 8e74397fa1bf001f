import type { ServiceImpl } from '@connectrpc/connect'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

type Impl = ServiceImpl<typeof CatalogService>

export function abandon(ctx: Ctx): Impl['abandon'] {
  return async (req, call) => {
    const caller = principal(call)
    if (!caller.isSystem) requireUser(call)
    if (!isUuid(req.id)) return {}
    await ctx.db
      .deleteFrom('node')
      .where('id', '=', req.id)
      .where('state', '=', 'pending')
      .$if(!caller.isSystem, (query) => query.where('created_by', '=', caller.username))
      .execute()
    return {}
  }
}
