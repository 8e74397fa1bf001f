import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { listInvitations as listRows } from '../queries/invitations.js'
import { toInvitation } from '../wire.js'
import { authorizeContainer } from './authorize-container.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listInvitations(ctx: Ctx): Impl['listInvitations'] {
  return async ({ targetId, type: targetType, ...req }, call) => {
    const subject = subjectOf(call)
    const { id, type } = await authorizeContainer(
      ctx.db,
      { id: targetId, type: targetType },
      subject,
    )
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listRows(ctx.db, id, type, limit + 1, after), limit)
    return { invitations: page.rows.map(toInvitation), nextPageToken: page.nextPageToken }
  }
}
