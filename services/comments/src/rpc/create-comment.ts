import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { CommentAction } from '@figbase/proto/comments/events'
import { checkCommentAccess } from '../access.js'
import { checkedContent } from '../content.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { mentionsIn } from '../domain/mentions.js'
import { targetKindOf } from '../domain/target.js'
import { parentNotFound, tooDeep, tooManyComments, tooMuchText } from '../errors.js'
import { checkMentionLimit, notifyMentioned } from '../notify-mentioned.js'
import { publishChange } from '../publish-change.js'
import { findComment, insertComment } from '../queries/comments.js'
import { addToTargetCounts, lockTarget, type TargetRow } from '../queries/targets.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

export function createComment(ctx: Ctx): Impl['createComment'] {
  return async (req, call) => {
    const author = requireUser(call)
    const kind = targetKindOf(req.targetType)
    const target = { id: req.targetId, type: req.targetType }
    const workspaceId = await checkCommentAccess(ctx, target, call)
    const content = checkedContent(ctx.cfg, req.content)
    const mentioned = mentionsIn(content)
    if (mentioned.length > 0) await checkMentionLimit(ctx, author)

    const row = await ctx.transact(async (tx) => {
      const locked = await lockTarget(tx, target.id, kind)
      const contentBytes = Buffer.byteLength(content)
      checkCapacity(ctx, locked, contentBytes)
      const parent = await findParentComment(ctx, tx, locked.id, req.parentCommentId)
      const depth = (parent?.depth ?? 0) + 1
      const place = { target_id: locked.id, parent_id: parent?.id ?? null, depth }
      const row = await insertComment(tx, { ...place, id: ctx.newId(), author, content })
      await addToTargetCounts(tx, locked.id, { comments: 1, threads: parent ? 0 : 1, contentBytes })
      await notifyMentioned(ctx, tx, row, mentioned)
      const change = { action: CommentAction.CREATE, workspaceId, silent: req.silent }
      await publishChange(ctx, tx, row, change, call)
      return row
    })
    return { comment: toComment(row) }
  }
}

function checkCapacity({ cfg }: Ctx, { comments, content_bytes }: TargetRow, contentBytes: number) {
  const { commentsMax, commentsBytesMax } = cfg
  if (comments >= commentsMax) throw tooManyComments(commentsMax)
  if (Number(content_bytes) + contentBytes > commentsBytesMax) throw tooMuchText(commentsBytesMax)
}

/** The comment to reply to, which may be a placeholder: threads continue below deleted comments. */
async function findParentComment({ cfg }: Ctx, tx: Tx, targetId: string, id: string) {
  if (!id) return undefined
  const parent = isUuid(id) ? await findComment(tx, id) : undefined
  if (parent?.target_id !== targetId) throw parentNotFound()
  if (parent.depth >= cfg.depthMax) throw tooDeep(cfg.depthMax)
  return parent
}
