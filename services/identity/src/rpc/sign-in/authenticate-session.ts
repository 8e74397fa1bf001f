import { tokenNotValid } from '@figbase/kit/keys'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { findSessionUser } from '../../queries/sessions.js'
import { markSignInUsed } from '../../queries/sign-ins.js'
import type { SignInImpl } from '../../routes.js'

export function authenticateSession(ctx: Ctx): SignInImpl['authenticateSession'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const session = ctx.tokens.readSession(token)
    const user = await findSessionUser(ctx.db, session)
    if (!user) throw tokenNotValid()
    if (user.is_stale) await ctx.write((db) => markSignInUsed(db, session.id))
    return { principal: { username: user.username, isStaff: user.is_staff } }
  }
}
