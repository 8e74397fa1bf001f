import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listOwnReactions as listRows } from '../queries/reactions.js'
import type { Impl } from '../routes.js'
import { toReaction } from '../wire.js'

export function listOwnReactions({ db }: Ctx): Impl['listOwnReactions'] {
  return async (req, call) => {
    const username = requireUnbound(call)
    const limit = pageSize(req.pageSize)
    const page = toPage(await listRows(db, username, limit + 1, decodeCursor(req.pageToken)), limit)
    return { reactions: page.rows.map(toReaction), nextPageToken: page.nextPageToken }
  }
}
