import { tokenNotValid } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { findLogin } from '../queries/users.js'
import type { Impl } from '../routes.js'

export function refreshToken(ctx: Ctx): Impl['refreshToken'] {
  return async (req) => {
    const { username, generation } = ctx.tokens.readRefresh(req.refresh)
    const user = await findLogin(ctx.db, username)
    if (!user?.is_active || user.token_generation !== generation) throw tokenNotValid()
    return { access: ctx.tokens.access(user) }
  }
}
