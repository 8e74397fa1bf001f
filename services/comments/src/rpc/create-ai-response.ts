import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { CommentAction } from '@figbase/proto/comments/events'
import { authorizeComment } from '../access.js'
import { addComment } from '../add-comment.js'
import type { Ctx } from '../context.js'
import { aiAuthor } from '../domain/ai.js'
import { commentExists } from '../errors.js'
import { publishChange } from '../publish-change.js'
import { findComment } from '../queries/comments.js'
import { lockTarget } from '../queries/targets.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

export function createAiResponse(ctx: Ctx): Impl['createAiResponse'] {
  return async ({ parentCommentId, id }, call) => {
    const requestedBy = requireUser(call)
    const { comment: parent, workspaceId } = await authorizeComment(ctx, parentCommentId, call)
    if (!isUuid(id)) throw invalid('id', 'must be a UUID')
    const row = await ctx.transact(async (tx) => {
      const locked = await lockTarget(tx, parent.target_id, parent.target_type)
      const earlier = await findComment(tx, id)
      if (earlier) {
        if (earlier.requested_by !== requestedBy) throw commentExists()
        return earlier
      }
      const reply = { id, author: aiAuthor, content: '', requested_by: requestedBy }
      const { row } = await addComment(ctx, tx, locked, parent.id, reply)
      const change = { action: CommentAction.CREATE, workspaceId, silent: false }
      await publishChange(ctx, tx, row, change, call)
      return row
    })
    return { comment: toComment(row) }
  }
}
