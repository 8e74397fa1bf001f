import { callerAddress } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { isUsername } from '../domain/new-user.js'
import { isPassword } from '../domain/password.js'
import { authenticationFailed } from '../errors.js'
import { type Counted, countFailure, refuseAfterFailures } from '../limits.js'
import { findUser } from '../queries/users.js'
import type { Impl } from '../routes.js'

export function issueToken(ctx: Ctx): Impl['issueToken'] {
  return async (req, call) => {
    // A name that nobody can have says nothing about anybody.
    if (!isUsername(req.username)) throw authenticationFailed()
    const user = await findUser(ctx.db, req.username)
    const { failedSignIns, failedSignInsOfAddress } = ctx.limits
    const counted: Counted = [
      [failedSignIns, req.username],
      [failedSignInsOfAddress, callerAddress(call)],
    ]
    const matches = await ctx.hashing(() =>
      isPasswordUnlessTooMany(counted, user?.password_hash, req.password),
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
  counted: Counted,
  stored: string | undefined,
  password: string,
) {
  await refuseAfterFailures(counted)
  const matches = await isPassword(stored, password)
  if (!matches) await countFailure(counted)
  return matches
}
