import type { ServiceImpl } from '@connectrpc/connect'
import { principal } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { deleteGrant } from '../queries/grants.js'
import { checkedUsername } from './known-user.js'
import { checkReplaceable } from './member-rules.js'
import { managing, openContainer } from './open-container.js'

type Impl = ServiceImpl<typeof CatalogService>

export function removeMember(ctx: Ctx): Impl['removeMember'] {
  return async (req, call) => {
    const { username: by } = principal(call)
    const container = await openContainer(ctx.db, req, by)
    const { id } = container
    const username = checkedUsername(req.username)
    await managing(ctx, container, by, async (tx) => {
      await checkReplaceable(tx, id, username)
      await deleteGrant(tx, id, 'member', username)
    })
    return {}
  }
}
