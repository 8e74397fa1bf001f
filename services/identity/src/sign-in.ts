import type { HandlerContext } from '@connectrpc/connect'
import { callerAddress, type IssuedToken } from '@figbase/kit'
import type { Ctx } from './context.js'
import type { SignInKind } from './db/schema.js'
import { insertSignIn } from './queries/sign-ins.js'

const userAgentCharsMax = 200

/** Remembers a sign-in, so that the user and staff can see it, and end it. One statement. */
export async function recordSignIn(
  { write }: Ctx,
  { token, kind, userAgent }: { token: IssuedToken; kind: SignInKind; userAgent: string },
  call: HandlerContext,
): Promise<void> {
  const shown = userAgent.replace(/[\p{Cc}\p{Cs}]/gu, ' ').slice(0, userAgentCharsMax)
  const signIn = { token, kind, userAgent: shown, address: callerAddress(call) }
  await write((db) => insertSignIn(db, signIn))
}
