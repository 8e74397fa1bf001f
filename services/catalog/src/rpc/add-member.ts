import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { roleToGrant, toRole } from '../domain/roles.js'
import { subjectOf } from '../domain/subject.js'
import { knownUser } from './known-user.js'
import { insertMember } from './member-rules.js'
import { managing, openContainer } from './open-container.js'

type Impl = ServiceImpl<typeof CatalogService>

export function addMember(ctx: Ctx): Impl['addMember'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const container = await openContainer(ctx.db, req, subject)
    const role = roleToGrant(container.type, req.member?.role)
    const username = await knownUser(ctx, req.member?.username, call)
    await managing(ctx, container, subject, (tx) =>
      insertMember(ctx, tx, {
        nodeId: container.id,
        subject: username,
        role,
        by: subject.username,
      }),
    )
    return { member: { username, role: toRole(role) } }
  }
}
