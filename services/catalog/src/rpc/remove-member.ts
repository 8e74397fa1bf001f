import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { deleteGrant } from '../queries/grants.js'
import { checkedUsername } from './known-user.js'
import { checkReplaceable } from './member-rules.js'
import { managing, openContainer } from './open-container.js'

type Impl = ServiceImpl<typeof CatalogService>

export function removeMember(ctx: Ctx): Impl['removeMember'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const container = await openContainer(ctx.db, req, subject)
    const { id } = container
    const username = checkedUsername(req.username)
    await managing(ctx, container, subject, async (tx) => {
      await checkReplaceable(tx, id, username)
      await deleteGrant(tx, id, 'member', username)
    })
    return {}
  }
}
