import type { HandlerContext } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { authenticationFailed } from '../errors.js'
import { isPasswordOf } from '../password-check.js'
import { findLogin, type Login } from '../queries/users.js'
import type { Impl } from '../routes.js'

export function issueToken(ctx: Ctx): Impl['issueToken'] {
  return async (req, call) => {
    const user = await passwordHolder(ctx, req, call)
    return { tokens: ctx.tokens.pair(user, { remember: req.rememberMe }) }
  }
}

/** Who signs in with this password; throws `authentication_failed` when it is nobody's. */
export async function passwordHolder(
  ctx: Ctx,
  { username, password }: { username: string; password: string },
  call: HandlerContext,
): Promise<Login> {
  // A name that nobody can have says nothing about anybody.
  if (!isUsername(username)) throw authenticationFailed()
  const user = await findLogin(ctx.db, username)
  const stored = user?.password_hash
  const matches = await isPasswordOf(ctx, { username, stored, password }, call)
  if (!user || !matches || !user.is_active) throw authenticationFailed()
  return user
}
