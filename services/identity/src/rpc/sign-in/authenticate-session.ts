import { requireSystem, tokenNotValid } from '@figbase/kit'
import type { Ctx } from '../../context.js'
import { findSessionHolder } from '../../queries/sessions.js'
import type { SignInImpl } from '../../routes.js'

export function authenticateSession(ctx: Ctx): SignInImpl['authenticateSession'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const user = await findSessionHolder(ctx.db, ctx.tokens.readSession(token))
    if (!user) throw tokenNotValid()
    return { principal: { username: user.username, isStaff: user.is_staff } }
  }
}
