import { decodeCursor, toPage } from '@figbase/kit/db'
import { isUuid } from '@figbase/kit/ids'
import { principal } from '@figbase/kit/rpc'
import { checkCommentAccess } from '../access.js'
import type { Ctx } from '../context.js'
import type { CommentRow } from '../db/schema.js'
import { targetKindOf } from '../domain/target.js'
import { findComment, listComments as listRows } from '../queries/comments.js'
import { listReactionCounts } from '../queries/reactions.js'
import type { Impl } from '../routes.js'
import { toComment, toReactionCount } from '../wire.js'

/** A part is sent once it has so many characters: even with its last comment it stays below the message limit. */
const partCharsMin = 256 * 1024
const partCommentsMax = 1000

export function listComments(ctx: Ctx): Impl['listComments'] {
  return async function* (req, call) {
    targetKindOf(req.targetType)
    await checkCommentAccess(ctx, { id: req.targetId, type: req.targetType }, call)
    if (req.commentId) {
      const comment = isUuid(req.commentId) ? await findComment(ctx.db, req.commentId) : undefined
      const isShown = comment && !comment.is_deleted && comment.target_id === req.targetId
      yield { comments: isShown ? [toComment(comment)] : [] }
      return
    }
    const after = decodeCursor(req.pageToken)
    if (req.limit <= 0) {
      const rows = await listRows(ctx.db, req.targetId, null, after)
      for (const part of partsOf(rows)) yield { comments: part.map(toComment) }
      return
    }
    const rows = await listRows(ctx.db, req.targetId, req.limit + 1, after)
    const page = toPage(rows, req.limit)
    for (const part of partsOf(page.rows)) yield { comments: part.map(toComment) }
    if (req.withReactions && page.rows.length > 0) {
      const ids = page.rows.map(({ id }) => id)
      const counts = await listReactionCounts(ctx.db, ids, principal(call).username)
      yield { reactions: counts.map(toReactionCount) }
    }
    if (page.nextPageToken) yield { nextPageToken: page.nextPageToken }
  }
}

function* partsOf(rows: CommentRow[]): Generator<CommentRow[]> {
  let part: CommentRow[] = []
  let chars = 0
  for (const row of rows) {
    part.push(row)
    chars += row.content.length
    if (chars < partCharsMin && part.length < partCommentsMax) continue
    yield part
    part = []
    chars = 0
  }
  if (part.length > 0) yield part
}
