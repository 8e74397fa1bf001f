import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import { authorizeComment } from '../access.js'
import type { Ctx } from '../context.js'
import { notReactionAuthor, reactionNotFound } from '../errors.js'
import { deleteReaction as deleteRow, findReaction } from '../queries/reactions.js'
import type { Impl } from '../routes.js'

export function deleteReaction(ctx: Ctx): Impl['deleteReaction'] {
  return async ({ id }, call) => {
    const username = requireUser(call)
    const reaction = isUuid(id) ? await findReaction(ctx.db, id) : undefined
    if (!reaction) throw reactionNotFound()
    await authorizeComment(ctx, reaction.comment_id, call)
    if (reaction.username !== username) throw notReactionAuthor()
    if (!(await ctx.write((db) => deleteRow(db, id)))) throw reactionNotFound()
    return {}
  }
}
