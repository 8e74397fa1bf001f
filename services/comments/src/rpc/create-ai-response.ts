import { requireUser } from '@figbase/kit/rpc'
import { authorizeComment } from '../access.js'
import type { Ctx } from '../context.js'
import { aiDisabled } from '../errors.js'
import type { Impl } from '../routes.js'

export function createAiResponse(ctx: Ctx): Impl['createAiResponse'] {
  return async ({ parentCommentId }, call) => {
    requireUser(call)
    await authorizeComment(ctx, parentCommentId, call)
    throw aiDisabled()
  }
}
