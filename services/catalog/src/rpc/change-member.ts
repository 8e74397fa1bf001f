import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { roleToGrant, toRole } from '../domain/roles.js'
import { subjectOf } from '../domain/subject.js'
import { updateMember } from '../queries/grants.js'
import { authorizeContainer, withManagedContainer } from './authorize-container.js'
import { checkReplaceable } from './member-rules.js'
import { checkedUsername } from './usernames.js'

type Impl = ServiceImpl<typeof CatalogService>

export function changeMember(ctx: Ctx): Impl['changeMember'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const container = await authorizeContainer(ctx.db, req, subject)
    const { id } = container
    const role = roleToGrant(container.type, req.member?.role)
    const username = checkedUsername(req.member?.username)
    await withManagedContainer(ctx, container, subject, async (tx) => {
      await checkReplaceable(tx, id, username, role)
      await updateMember(tx, id, username, role)
    })
    return { member: { username, role: toRole(role) } }
  }
}
