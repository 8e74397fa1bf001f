import type { HandlerContext } from '@connectrpc/connect'
import type { IssuedToken } from '@figbase/kit/keys'
import { callerAddress } from '@figbase/kit/rpc'
import type { Ctx } from './context.js'
import type { SignInKind } from './db/schema.js'
import { insertSignIn } from './queries/sign-ins.js'

const userAgentCharsMax = 200

/** Records a sign-in, so that the user and staff can list and end it. */
export async function recordSignIn(
  { write }: Ctx,
  { token, kind, userAgent }: { token: IssuedToken; kind: SignInKind; userAgent: string },
  call: HandlerContext,
): Promise<void> {
  const cleaned = userAgent.replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, userAgentCharsMax)
  const signIn = { token, kind, userAgent: cleaned, address: callerAddress(call) }
  await write((db) => insertSignIn(db, signIn))
}
