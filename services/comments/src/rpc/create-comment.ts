import { requireUser } from '@figbase/kit/rpc'
import { CommentAction } from '@figbase/proto/comments/events'
import { checkCommentAccess } from '../access.js'
import { addComment } from '../add-comment.js'
import { checkedContent } from '../content.js'
import type { Ctx } from '../context.js'
import { mentionsIn } from '../domain/mentions.js'
import { targetKindOf } from '../domain/target.js'
import { publishChange } from '../publish-change.js'
import { lockTarget } from '../queries/targets.js'
import { checkMentionLimit, recordMentions } from '../record-mentions.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

export function createComment(ctx: Ctx): Impl['createComment'] {
  return async (req, call) => {
    const author = requireUser(call)
    const kind = targetKindOf(req.targetType)
    const target = { id: req.targetId, type: req.targetType }
    const workspaceId = await checkCommentAccess(ctx, target, call)
    const content = checkedContent(ctx.cfg, req.content)
    const mentions = mentionsIn(content)
    if (mentions.length > 0) await checkMentionLimit(ctx, author)

    const row = await ctx.transact(async (tx) => {
      const locked = await lockTarget(tx, target.id, kind)
      const comment = { id: ctx.newId(), author, content, requested_by: null }
      const { row, parent } = await addComment(ctx, tx, locked, req.parentCommentId, comment)
      const mentioned = await recordMentions(ctx, tx, row, mentions)
      const parentAuthor = parent && !parent.is_deleted ? parent.author : ''
      const action = CommentAction.CREATE
      const change = { action, workspaceId, silent: req.silent, mentioned, parentAuthor }
      await publishChange(ctx, tx, row, change, call)
      await ctx.record(tx, call, () => ({ comment: toComment(row) }))
      return row
    })
    return { comment: toComment(row) }
  }
}
