import { invalid, requireUser } from '@figbase/kit'
import { openComment } from '../access.js'
import type { Ctx } from '../context.js'
import { emojiOf } from '../domain/emoji.js'
import { noSuchComment, tooManyReactions } from '../errors.js'
import {
  countReactions,
  findSameReaction,
  holdComment,
  insertReaction,
} from '../queries/reactions.js'
import type { Impl } from '../routes.js'
import { toReaction } from '../wire.js'

export function createReaction(ctx: Ctx): Impl['createReaction'] {
  return async (req, call) => {
    const username = requireUser(call)
    const { comment } = await openComment(ctx, req.commentId, call)
    const emoji = emojiOf(req.emoji)
    if (!emoji) throw invalid('emoji', 'must be one emoji')
    const { reactionsMax } = ctx.cfg
    const reaction = { id: ctx.newId(), comment_id: comment.id, username, emoji }
    return ctx.transact(async (tx) => {
      if (!(await holdComment(tx, comment.id))) throw noSuchComment()
      const same = await findSameReaction(tx, reaction)
      if (same) return { reaction: toReaction(same), created: false }
      if ((await countReactions(tx, comment.id)) >= reactionsMax) {
        throw tooManyReactions(reactionsMax)
      }
      return { reaction: toReaction(await insertReaction(tx, reaction)), created: true }
    })
  }
}
