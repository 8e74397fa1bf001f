import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import { authorizeComment } from '../access.js'
import type { Ctx } from '../context.js'
import { emojiOf } from '../domain/emoji.js'
import { commentNotFound, tooManyReactions } from '../errors.js'
import {
  countReactions,
  findSameReaction,
  insertReaction,
  lockComment,
} from '../queries/reactions.js'
import type { Impl } from '../routes.js'
import { toReaction } from '../wire.js'

export function createReaction(ctx: Ctx): Impl['createReaction'] {
  return async (req, call) => {
    const username = requireUser(call)
    const { comment } = await authorizeComment(ctx, req.commentId, call)
    const emoji = emojiOf(req.emoji)
    if (!emoji) throw invalid('emoji', 'must be one emoji')
    const { reactionsMax } = ctx.cfg
    const reaction = { id: ctx.newId(), comment_id: comment.id, username, emoji }
    return ctx.transact(async (tx) => {
      if (!(await lockComment(tx, comment.id))) throw commentNotFound()
      const same = await findSameReaction(tx, reaction)
      if (same) return { reaction: toReaction(same), created: false }
      if ((await countReactions(tx, comment.id)) >= reactionsMax) {
        throw tooManyReactions(reactionsMax)
      }
      return { reaction: toReaction(await insertReaction(tx, reaction)), created: true }
    })
  }
}
