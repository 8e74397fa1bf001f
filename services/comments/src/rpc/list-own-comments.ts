import { decodeCursor, requireUnbound, toPage } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { listOwnComments as listRows } from '../queries/comments.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

const pageMax = 100
/** Of a page, far below what a message may have. */
const pageBytesMax = 4 * 2 ** 20

export function listOwnComments({ db, cfg }: Ctx): Impl['listOwnComments'] {
  return async ({ pageSize, pageToken }, call) => {
    const author = requireUnbound(call)
    const fitting = Math.max(1, Math.floor(pageBytesMax / cfg.commentBytesMax))
    const limit = Math.min(pageSize > 0 ? pageSize : pageMax, pageMax, fitting)
    const page = toPage(await listRows(db, author, limit + 1, decodeCursor(pageToken)), limit)
    return { comments: page.rows.map(toComment), nextPageToken: page.nextPageToken }
  }
}
