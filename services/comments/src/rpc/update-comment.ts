import { requireUser } from '@figbase/kit/rpc'
import { CommentAction } from '@figbase/proto/comments/events'
import { authorizeComment } from '../access.js'
import { checkedContent } from '../content.js'
import type { Ctx } from '../context.js'
import { mentionsIn } from '../domain/mentions.js'
import { commentNotFound, notCommentAuthor, tooMuchText } from '../errors.js'
import { publishChange } from '../publish-change.js'
import { findComment, updateContent } from '../queries/comments.js'
import { addToTargetCounts, lockTarget } from '../queries/targets.js'
import { checkMentionLimit, recordMentions } from '../record-mentions.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

export function updateComment(ctx: Ctx): Impl['updateComment'] {
  return async (req, call) => {
    const author = requireUser(call)
    const { comment, workspaceId } = await authorizeComment(ctx, req.id, call)
    if (comment.author !== author) throw notCommentAuthor()
    const content = checkedContent(ctx.cfg, req.content)
    const mentions = mentionsIn(content)
    if (mentions.length > 0) await checkMentionLimit(ctx, author)

    const row = await ctx.transact(async (tx) => {
      const target = await lockTarget(tx, comment.target_id, comment.target_type)
      const before = await findComment(tx, comment.id)
      if (!before || before.is_deleted) throw commentNotFound()
      const contentBytes = Buffer.byteLength(content) - Buffer.byteLength(before.content)
      const { commentsBytesMax } = ctx.cfg
      if (contentBytes > 0 && Number(target.content_bytes) + contentBytes > commentsBytesMax) {
        throw tooMuchText(commentsBytesMax)
      }
      const row = await updateContent(tx, comment.id, content)
      await addToTargetCounts(tx, target.id, { comments: 0, threads: 0, contentBytes })
      const mentioned = await recordMentions(ctx, tx, row, mentions)
      const change = { action: CommentAction.UPDATE, workspaceId, silent: req.silent, mentioned }
      await publishChange(ctx, tx, row, change, call)
      return row
    })
    return { comment: toComment(row) }
  }
}
