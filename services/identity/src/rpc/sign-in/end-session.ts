import type { Ctx } from '../../context.js'
import { revoke } from '../../queries/revoked-tokens.js'
import type { SignInImpl } from '../../routes.js'

export function endSession(ctx: Ctx): SignInImpl['endSession'] {
  return async ({ token }) => {
    const session = ctx.tokens.readSession(token)
    await ctx.write((db) => revoke(db, session))
    return {}
  }
}
