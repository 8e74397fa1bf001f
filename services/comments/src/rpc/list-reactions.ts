import { authorizeComment } from '../access.js'
import type { Ctx } from '../context.js'
import { listReactions as listRows } from '../queries/reactions.js'
import type { Impl } from '../routes.js'
import { toReaction } from '../wire.js'

export function listReactions(ctx: Ctx): Impl['listReactions'] {
  return async ({ commentId }, call) => {
    const { comment } = await authorizeComment(ctx, commentId, call)
    return { reactions: (await listRows(ctx.db, comment.id)).map(toReaction) }
  }
}
