import type { Ctx } from '../context.js'
import { userOfRefresh } from '../refresh.js'
import type { Impl } from '../routes.js'

export function refreshToken(ctx: Ctx): Impl['refreshToken'] {
  return async (req) => {
    const { user } = await userOfRefresh(ctx, req.refresh)
    return { access: ctx.tokens.access(user) }
  }
}
