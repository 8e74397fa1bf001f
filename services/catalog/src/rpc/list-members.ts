import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { type CatalogService, NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { toRole } from '../domain/roles.js'
import { subjectOf } from '../domain/subject.js'
import { listGrants } from '../queries/grants.js'
import { authorizeContainer } from './authorize-container.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listMembers(ctx: Ctx): Impl['listMembers'] {
  return async (req, call) => {
    const caller = subjectOf(call)
    const permission = req.type === NodeType.WORKSPACE ? Permission.VIEW : Permission.MANAGE
    const { id } = await authorizeContainer(ctx.db, req, caller, permission)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listGrants(ctx.db, id, 'member', limit + 1, after), limit)
    const members = page.rows.map(({ subject, role }) => ({
      username: subject,
      role: toRole(role),
    }))
    return { members, nextPageToken: page.nextPageToken }
  }
}
