import { decodeCursor, toPage } from '@figbase/kit/db'
import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listOwnComments as listRows } from '../queries/comments.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

const pageMax = 100
/** Far below the size limit of a message. */
const pageBytesMax = 4 * 2 ** 20

export function listOwnComments({ db, cfg }: Ctx): Impl['listOwnComments'] {
  return async ({ pageSize, pageToken }, call) => {
    const author = requireUnbound(call)
    const commentsThatFit = Math.max(1, Math.floor(pageBytesMax / cfg.commentBytesMax))
    const limit = Math.min(pageSize > 0 ? pageSize : pageMax, pageMax, commentsThatFit)
    const page = toPage(await listRows(db, author, limit + 1, decodeCursor(pageToken)), limit)
    return { comments: page.rows.map(toComment), nextPageToken: page.nextPageToken }
  }
}
