import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { isPassword } from '../domain/password.js'
import { authenticationFailed, tooManyFailures } from '../errors.js'
import { findLogin } from '../queries/users.js'
import type { Impl } from '../routes.js'

export function issueToken(ctx: Ctx): Impl['issueToken'] {
  return async (req) => {
    // A name that nobody can have says nothing about anybody.
    if (!isUsername(req.username)) throw authenticationFailed()
    const user = await findLogin(ctx.db, req.username)
    const matches = await ctx.hashing(() =>
      isPasswordUnlessTooMany(ctx, req.username, user?.password_hash, req.password),
    )
    if (!user || !matches || !user.is_active) throw authenticationFailed()
    return { tokens: ctx.tokens.pair(user, { remember: req.rememberMe }) }
  }
}

/**
 * Counts where it checks, inside the gate: attempts that come all at once cannot overtake it. A
 * correct password is refused too while there were too many failures, or guessing would go on.
 */
async function isPasswordUnlessTooMany(
  ctx: Ctx,
  username: string,
  stored: string | null | undefined,
  password: string,
) {
  if (ctx.failedSignIns.isFull(username)) throw tooManyFailures()
  const matches = await isPassword(stored, password)
  if (!matches) ctx.failedSignIns.count(username)
  return matches
}
