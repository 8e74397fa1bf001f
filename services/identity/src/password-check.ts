import type { HandlerContext } from '@connectrpc/connect'
import { callerAddress } from '@figbase/kit'
import type { Ctx } from './context.js'
import { isPassword } from './domain/password.js'
import { type Counted, countFailure, refuseAfterFailures } from './limits.js'

export type PasswordTried = {
  username: string
  /** The hash of the account; none of that name, or none that has a password, costs the same. */
  stored: string | null | undefined
  password: string
}

/**
 * Whether this is the password; 429 after too many that were not, for the account or from the address of
 * the caller. A correct one is refused then, too, or guessing would go on; it takes many addresses to keep somebody
 * out so. Counts where it checks, inside the gate: attempts that come all at once cannot overtake it.
 */
export function isPasswordOf(
  ctx: Ctx,
  { username, stored, password }: PasswordTried,
  call: HandlerContext,
): Promise<boolean> {
  const { failedSignIns, failedSignInsOfAccount, failedSignInsOfAddress } = ctx.limits
  const address = callerAddress(call)
  const counted: Counted = [
    [failedSignIns, `${username} ${address}`],
    [failedSignInsOfAccount, username],
    [failedSignInsOfAddress, address],
  ]
  return ctx.hashing(async () => {
    await refuseAfterFailures(counted)
    const matches = await isPassword(stored, password)
    if (!matches) await countFailure(counted)
    return matches
  })
}
