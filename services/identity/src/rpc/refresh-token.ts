import type { Ctx } from '../context.js'
import { markSignInUsed } from '../queries/sign-ins.js'
import { verifyRefreshToken } from '../refresh.js'
import type { Impl } from '../routes.js'

export function refreshToken(ctx: Ctx): Impl['refreshToken'] {
  return async (req) => {
    const { user, token, isStale } = await verifyRefreshToken(ctx, req.refresh)
    if (isStale) await ctx.write((db) => markSignInUsed(db, token.id))
    return { access: ctx.tokens.access(user) }
  }
}
