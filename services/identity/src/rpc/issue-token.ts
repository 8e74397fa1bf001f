import type { HandlerContext } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { authenticationFailed } from '../errors.js'
import { checkPassword } from '../password-check.js'
import { findLogin, type Login } from '../queries/users.js'
import type { Impl } from '../routes.js'
import { recordSignIn } from '../sign-in.js'

export function issueToken(ctx: Ctx): Impl['issueToken'] {
  return async (req, call) => {
    const user = await authenticatePassword(ctx, req, call)
    const tokens = ctx.tokens.pair(user, { remember: req.rememberMe })
    const token = ctx.tokens.readRefresh(tokens.refresh)
    await recordSignIn(ctx, { token, kind: 'token', userAgent: req.userAgent }, call)
    return { tokens }
  }
}

/** The user with this username and password; throws `authentication_failed` otherwise. */
export async function authenticatePassword(
  ctx: Ctx,
  { username, password }: { username: string; password: string },
  call: HandlerContext,
): Promise<Login> {
  // Rejecting malformed usernames early reveals nothing about existing accounts.
  if (!isUsername(username)) throw authenticationFailed()
  const user = await findLogin(ctx.db, username)
  const stored = user?.password_hash
  const matches = await checkPassword(ctx, { username, stored, password }, call)
  if (!user || !matches || !user.is_active) throw authenticationFailed()
  return user
}
