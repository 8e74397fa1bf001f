import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listApiKeys as listRows } from '../queries/api-keys.js'
import type { Impl } from '../routes.js'
import { toApiKey } from '../wire.js'

export function listApiKeys({ db }: Ctx): Impl['listApiKeys'] {
  return async (req, call) => {
    const owner = requireUser(call)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listRows(db, owner, onlyWorkspace(call), limit + 1, after), limit)
    return { keys: page.rows.map(toApiKey), nextPageToken: page.nextPageToken }
  }
}
