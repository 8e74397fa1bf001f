import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { authenticationFailed } from '../errors.js'
import { isPasswordOf } from '../password-check.js'
import { findLogin } from '../queries/users.js'
import type { Impl } from '../routes.js'

export function issueToken(ctx: Ctx): Impl['issueToken'] {
  return async ({ username, password, rememberMe }, call) => {
    // A name that nobody can have says nothing about anybody.
    if (!isUsername(username)) throw authenticationFailed()
    const user = await findLogin(ctx.db, username)
    const stored = user?.password_hash
    const matches = await isPasswordOf(ctx, { username, stored, password }, call)
    if (!user || !matches || !user.is_active) throw authenticationFailed()
    return { tokens: ctx.tokens.pair(user, { remember: rememberMe }) }
  }
}
