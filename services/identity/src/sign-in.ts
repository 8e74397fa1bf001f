import type { HandlerContext } from '@connectrpc/connect'
import type { IssuedToken } from '@figbase/kit/keys'
import { callerAddress } from '@figbase/kit/rpc'
import type { Ctx } from './context.js'
import type { SignInKind } from './db/schema.js'
import { cleanUserAgent } from './domain/user-agent.js'
import { insertSignIn } from './queries/sign-ins.js'

/** Records a sign-in, so that the user and staff can list and end it. */
export async function recordSignIn(
  { write }: Ctx,
  { token, kind, userAgent }: { token: IssuedToken; kind: SignInKind; userAgent: string },
  call: HandlerContext,
): Promise<void> {
  const address = callerAddress(call)
  const signIn = { token, kind, userAgent: cleanUserAgent(userAgent), address }
  await write((db) => insertSignIn(db, signIn))
}
