import type { ServiceImpl } from '@connectrpc/connect'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { roleToGrant, toRole } from '../domain/roles.js'
import { subjectOf } from '../domain/subject.js'
import { authorizeContainer, withManagedContainer } from './authorize-container.js'
import { insertMember } from './member-rules.js'
import { existingUsername } from './usernames.js'

type Impl = ServiceImpl<typeof CatalogService>

export function addMember(ctx: Ctx): Impl['addMember'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const container = await authorizeContainer(ctx.db, req, subject)
    const role = roleToGrant(container.type, req.member?.role)
    const username = await existingUsername(ctx, req.member?.username, call)
    const response = { member: { username, role: toRole(role) } }
    const added = {
      nodeId: container.id,
      subject: username,
      role,
      by: subject.username,
      isNotified: true,
    }
    await withManagedContainer(ctx, container, subject, async (tx) => {
      await insertMember(ctx, tx, added)
      await ctx.record(tx, call, () => response)
    })
    return response
  }
}
