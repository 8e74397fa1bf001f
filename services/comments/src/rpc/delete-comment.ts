import { requireUser } from '@figbase/kit'
import { CommentAction } from '@figbase/proto/comments/events'
import { openComment } from '../access.js'
import { publishChange } from '../changes.js'
import type { Ctx } from '../context.js'
import { noSuchComment, notTheAuthor } from '../errors.js'
import { deleteUnanswered, emptyComment } from '../queries/removal.js'
import { countOnTarget, lockTarget } from '../queries/targets.js'
import type { Impl } from '../routes.js'

export function deleteComment(ctx: Ctx): Impl['deleteComment'] {
  return async (req, call) => {
    const author = requireUser(call)
    const { comment, workspaceId } = await openComment(ctx, req.id, call)
    if (comment.author !== author) throw notTheAuthor()
    await ctx.transact(async (tx) => {
      await lockTarget(tx, comment.target_id, comment.target_type)
      const { id } = comment
      const removed = (await deleteUnanswered(tx, id)) ?? (await emptyComment(tx, id))
      if (!removed) throw noSuchComment()
      await countOnTarget(tx, comment.target_id, {
        comments: -removed.comments,
        threads: -removed.threads,
        contentBytes: -removed.content_bytes,
      })
      const gone = { ...comment, updated_on: removed.at }
      const change = { action: CommentAction.DELETE, workspaceId, silent: req.silent }
      await publishChange(ctx, tx, gone, change, call)
    })
    return {}
  }
}
