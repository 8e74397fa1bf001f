import { isUuid, requireUser } from '@figbase/kit'
import { CommentAction } from '@figbase/proto/comments/events'
import { requireComment } from '../access.js'
import { publishChange } from '../changes.js'
import { checkedContent } from '../content.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { mentionsIn } from '../domain/mentions.js'
import { targetKindOf } from '../domain/target.js'
import { parentMissing, tooDeep, tooManyComments, tooMuchText } from '../errors.js'
import { requireMentions, tellMentioned } from '../mentioning.js'
import { findComment, insertComment } from '../queries/comments.js'
import { countOnTarget, lockTarget, type TargetRow } from '../queries/targets.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

export function createComment(ctx: Ctx): Impl['createComment'] {
  return async (req, call) => {
    const author = requireUser(call)
    const kind = targetKindOf(req.targetType)
    const target = { id: req.targetId, type: req.targetType }
    const workspaceId = await requireComment(ctx, target, call)
    const content = checkedContent(ctx.cfg, req.content)
    const mentioned = mentionsIn(content)
    if (mentioned.length > 0) await requireMentions(ctx, author)

    const row = await ctx.transact(async (tx) => {
      const held = await lockTarget(tx, target.id, kind)
      const contentBytes = Buffer.byteLength(content)
      requireRoom(ctx, held, contentBytes)
      const above = await findAbove(ctx, tx, held.id, req.parentCommentId)
      const depth = (above?.depth ?? 0) + 1
      const place = { target_id: held.id, parent_id: above?.id ?? null, depth }
      const row = await insertComment(tx, { ...place, id: ctx.newId(), author, content })
      await countOnTarget(tx, held.id, { comments: 1, threads: above ? 0 : 1, contentBytes })
      await tellMentioned(ctx, tx, row, mentioned)
      const change = { action: CommentAction.CREATE, workspaceId, silent: req.silent }
      await publishChange(ctx, tx, row, change, call)
      return row
    })
    return { comment: toComment(row) }
  }
}

function requireRoom({ cfg }: Ctx, { comments, content_bytes }: TargetRow, contentBytes: number) {
  const { commentsMax, commentsBytesMax } = cfg
  if (comments >= commentsMax) throw tooManyComments(commentsMax)
  if (Number(content_bytes) + contentBytes > commentsBytesMax) throw tooMuchText(commentsBytesMax)
}

/** What is answered: its place alone may be left, for the thread goes on. */
async function findAbove({ cfg }: Ctx, tx: Tx, targetId: string, id: string) {
  if (!id) return undefined
  const above = isUuid(id) ? await findComment(tx, id) : undefined
  if (above?.target_id !== targetId) throw parentMissing()
  if (above.depth >= cfg.depthMax) throw tooDeep(cfg.depthMax)
  return above
}
