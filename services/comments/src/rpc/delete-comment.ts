import { requireUser } from '@figbase/kit/rpc'
import { CommentAction } from '@figbase/proto/comments/events'
import { authorizeComment } from '../access.js'
import type { Ctx } from '../context.js'
import { commentNotFound, notCommentAuthor } from '../errors.js'
import { publishChange } from '../publish-change.js'
import { clearComment, deleteWithoutReplies } from '../queries/deletion.js'
import { addToTargetCounts, lockTarget } from '../queries/targets.js'
import type { Impl } from '../routes.js'

export function deleteComment(ctx: Ctx): Impl['deleteComment'] {
  return async (req, call) => {
    const author = requireUser(call)
    const { comment, workspaceId } = await authorizeComment(ctx, req.id, call)
    const isAuthor = comment.author === author || comment.requested_by === author
    if (!isAuthor) throw notCommentAuthor()
    await ctx.transact(async (tx) => {
      await lockTarget(tx, comment.target_id, comment.target_type)
      const { id } = comment
      const removed = (await deleteWithoutReplies(tx, id)) ?? (await clearComment(tx, id))
      if (!removed) throw commentNotFound()
      await addToTargetCounts(tx, comment.target_id, {
        comments: -removed.comments,
        threads: -removed.threads,
        contentBytes: -removed.content_bytes,
      })
      const deleted = { ...comment, updated_on: removed.at }
      const change = { action: CommentAction.DELETE, workspaceId, silent: req.silent }
      await publishChange(ctx, tx, deleted, change, call)
    })
    return {}
  }
}
