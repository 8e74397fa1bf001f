import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { listGrants } from '../queries/grants.js'
import { authorizeShareable } from './authorize-shareable.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listUserShares(ctx: Ctx): Impl['listUserShares'] {
  return async (req, call) => {
    const { id } = await authorizeShareable(ctx.db, req, subjectOf(call))
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listGrants(ctx.db, id, 'share', limit + 1, after), limit)
    const usernames = page.rows.map(({ subject }) => subject)
    return { usernames, nextPageToken: page.nextPageToken }
  }
}
