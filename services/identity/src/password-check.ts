import type { HandlerContext } from '@connectrpc/connect'
import { notFound } from '@figbase/kit/errors'
import { callerAddress } from '@figbase/kit/rpc'
import type { Ctx } from './context.js'
import { verifyPassword } from './domain/password.js'
import { passwordWrong } from './errors.js'
import { countFailure, type LimitKeys, refuseAfterFailures } from './limits.js'
import { findLogin } from './queries/users.js'

export type PasswordAttempt = {
  username: string
  /** The hash of the account; empty when the account is unknown or has no password, which takes as long to check. */
  stored: string | null | undefined
  password: string
}

/**
 * Whether the password is correct; throws 429 after too many failures for the account or the client address. A
 * correct password is then refused as well, otherwise guessing could go on; locking a user out takes many addresses.
 * Failures are counted inside the concurrency limit, so that concurrent attempts cannot bypass the check.
 */
export function checkPassword(
  ctx: Ctx,
  { username, stored, password }: PasswordAttempt,
  call: HandlerContext,
): Promise<boolean> {
  const { failedSignIns, failedSignInsOfAccount, failedSignInsOfAddress } = ctx.limits
  const address = callerAddress(call)
  const counted: LimitKeys = [
    [failedSignIns, `${username} ${address}`],
    [failedSignInsOfAccount, username],
    [failedSignInsOfAddress, address],
  ]
  return ctx.hashing(async () => {
    await refuseAfterFailures(counted)
    const matches = await verifyPassword(stored, password)
    if (!matches) await countFailure(counted)
    return matches
  })
}

/** Throws unless it is the password of the user. A user of an identity provider may have none. */
export async function requirePassword(
  ctx: Ctx,
  username: string,
  password: string,
  call: HandlerContext,
): Promise<void> {
  const login = await findLogin(ctx.db, username)
  if (!login) throw notFound('this user')
  const stored = login.password_hash
  if (stored && !(await checkPassword(ctx, { username, stored, password }, call))) {
    throw passwordWrong()
  }
}
