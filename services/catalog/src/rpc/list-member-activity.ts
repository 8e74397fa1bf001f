import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, encodeCursor, pageSize } from '@figbase/kit/db'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { listMemberLog } from '../queries/member-activity.js'
import { toActivityEntry } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function listMemberActivity(ctx: Ctx): Impl['listMemberActivity'] {
  return async (req, call) => {
    requireUser(call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const rows = await listMemberLog(ctx.db, subjectOf(call), limit + 1, after)
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return {
      entries: rows.slice(0, limit).map((row) => ({
        ...toActivityEntry(row),
        workspaceId: row.workspace_id,
        workspaceName: row.workspace_name ?? '',
      })),
      nextPageToken: last ? encodeCursor({ createdOn: last.at, seq: last.seq.toString() }) : '',
    }
  }
}
