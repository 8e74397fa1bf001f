import { Code, type HandlerContext } from '@connectrpc/connect'
import { checkedText, forward, hasCode, invalid } from '@figbase/kit'
import type { Ctx } from '../context.js'

export const checkedUsername = (username: string | undefined): string =>
  checkedText('username', username ?? '', { charsMin: 1, charsMax: 1000 })

/** Refuses a name that no user has. Asks identity: not for inside a transaction. */
export async function knownUser(
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
