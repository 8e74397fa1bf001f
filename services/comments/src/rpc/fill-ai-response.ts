import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { CommentAction } from '@figbase/proto/comments/events'
import type { Config } from '../config.js'
import type { Ctx } from '../context.js'
import { commentNotFound } from '../errors.js'
import { publishChange } from '../publish-change.js'
import { fillContent, findComment } from '../queries/comments.js'
import { addToTargetCounts, lockTarget, type TargetRow } from '../queries/targets.js'
import type { Impl } from '../routes.js'

export function fillAiResponse(ctx: Ctx): Impl['fillAiResponse'] {
  return async ({ id, content, workspaceId }, call) => {
    requireUser(call)
    const reply = isUuid(id) ? await findComment(ctx.db, id) : undefined
    if (!reply) throw commentNotFound()
    await ctx.transact(async (tx) => {
      const target = await lockTarget(tx, reply.target_id, reply.target_type)
      const text = fitting(content, target, ctx.cfg)
      const row = await fillContent(tx, id, text)
      if (!row) return
      const contentBytes = Buffer.byteLength(text)
      await addToTargetCounts(tx, target.id, { comments: 0, threads: 0, contentBytes })
      const change = { action: CommentAction.UPDATE, workspaceId, silent: false }
      await publishChange(ctx, tx, row, change, call)
    })
    return {}
  }
}

/** The short text may exceed the limit of all comments: a reply must not stay empty. */
function fitting(content: string, { content_bytes }: TargetRow, cfg: Config): string {
  const bytes = Buffer.byteLength(content)
  if (bytes > cfg.commentBytesMax) return 'AI could not answer: the answer is too long.'
  const isFull = Number(content_bytes) + bytes > cfg.commentsBytesMax
  return isFull ? 'AI could not answer: the comments here have the maximum size.' : content
}
