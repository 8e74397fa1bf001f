import { authorizeComment } from '../access.js'
import type { Ctx } from '../context.js'
import { listThread } from '../queries/comments.js'
import type { Impl } from '../routes.js'
import { toComment } from '../wire.js'

export function readThread(ctx: Ctx): Impl['readThread'] {
  return async function* ({ commentId }, call) {
    const { comment, workspaceId } = await authorizeComment(ctx, commentId, call)
    for (const row of await listThread(ctx.db, comment.id)) {
      yield { comment: toComment(row), workspaceId }
    }
  }
}
