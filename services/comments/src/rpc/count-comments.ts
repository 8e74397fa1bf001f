import { checkCommentAccess } from '../access.js'
import type { Ctx } from '../context.js'
import { targetKindOf } from '../domain/target.js'
import { countComments as countRows } from '../queries/targets.js'
import type { Impl } from '../routes.js'

export function countComments(ctx: Ctx): Impl['countComments'] {
  return async ({ targetId, targetType }, call) => {
    targetKindOf(targetType)
    await checkCommentAccess(ctx, { id: targetId, type: targetType }, call)
    const { comments, threads } = await countRows(ctx.db, targetId)
    return { count: threads, total: comments }
  }
}
