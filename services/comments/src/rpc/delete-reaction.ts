import { isUuid, requireUser } from '@figbase/kit'
import { openComment } from '../access.js'
import type { Ctx } from '../context.js'
import { noSuchReaction, notYourReaction } from '../errors.js'
import { deleteReaction as deleteRow, findReaction } from '../queries/reactions.js'
import type { Impl } from '../routes.js'

export function deleteReaction(ctx: Ctx): Impl['deleteReaction'] {
  return async ({ id }, call) => {
    const username = requireUser(call)
    const reaction = isUuid(id) ? await findReaction(ctx.db, id) : undefined
    if (!reaction) throw noSuchReaction()
    await openComment(ctx, reaction.comment_id, call)
    if (reaction.username !== username) throw notYourReaction()
    if (!(await ctx.write((db) => deleteRow(db, id)))) throw noSuchReaction()
    return {}
  }
}
