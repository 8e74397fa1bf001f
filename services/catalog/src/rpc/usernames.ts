import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { forward } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { Ctx } from '../context.js'

export const checkedUsername = (username: string | undefined): string =>
  checkedText('username', username ?? '', { charsMin: 1, charsMax: 1000 })

/** Validates the name of an existing user. Calls identity, so never call it in a transaction. */
export async function existingUsername(
  ctx: Ctx,
  username: string | undefined,
  call: HandlerContext,
): Promise<string> {
  const name = checkedUsername(username)
  await ctx.identity.getUser({ username: name }, forward(call)).catch((error: unknown) => {
    if (hasCode(error, Code.NotFound)) throw invalid('username', 'does not exist')
    throw error
  })
  return name
}
