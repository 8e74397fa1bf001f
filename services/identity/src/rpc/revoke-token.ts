import type { Ctx } from '../context.js'
import { endSessions, markSpent } from '../queries/spent-tokens.js'
import { verifyRefreshToken } from '../refresh.js'
import type { Impl } from '../routes.js'

export function revokeToken(ctx: Ctx): Impl['revokeToken'] {
  return async (req) => {
    const { user, token } = await verifyRefreshToken(ctx, req.refresh)
    if (req.all) await ctx.write((db) => endSessions(db, user.username))
    else await ctx.write((db) => markSpent(db, token))
    return {}
  }
}
