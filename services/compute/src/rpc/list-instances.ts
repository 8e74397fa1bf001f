import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireMember } from '../access.js'
import { staleMs } from '../config.js'
import type { Ctx } from '../context.js'
import { listInstances as listRows } from '../queries/instances.js'
import type { Impl } from '../routes.js'
import { toInstance } from '../wire.js'

export function listInstances({ db, cfg, catalog }: Ctx): Impl['listInstances'] {
  return async (req, call) => {
    const member = await requireMember({ catalog }, req.workspaceId, call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const { rows, nextPageToken } = toPage(
      await listRows(db, member.workspaceId, limit + 1, after),
      limit,
    )
    return { instances: rows.map((row) => toInstance(row, member, staleMs(cfg))), nextPageToken }
  }
}
