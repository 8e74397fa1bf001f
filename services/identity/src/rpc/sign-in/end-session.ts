import type { Ctx } from '../../context.js'
import { markSpent } from '../../queries/spent-tokens.js'
import type { SignInImpl } from '../../routes.js'

export function endSession(ctx: Ctx): SignInImpl['endSession'] {
  return async ({ token }) => {
    const session = ctx.tokens.readSession(token)
    await ctx.write((db) => markSpent(db, session))
    return {}
  }
}
