import type { HandlerContext } from '@connectrpc/connect'
import { requireSignIn } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { userCodeRefused } from '../../errors.js'
import { countFailure, type LimitKeys, refuseAfterFailures } from '../../limits.js'

/** Runs `find` for the code that the signed-in user entered; throws 429 after too many unknown codes. */
export async function limitUserCodes<T>(
  { limits }: Ctx,
  call: HandlerContext,
  find: (username: string) => Promise<T | undefined>,
): Promise<T> {
  const username = requireSignIn(call)
  const counted: LimitKeys = [[limits.failedUserCodesOfUser, username]]
  await refuseAfterFailures(counted)
  const found = await find(username)
  if (found) return found
  await countFailure(counted)
  throw userCodeRefused()
}
