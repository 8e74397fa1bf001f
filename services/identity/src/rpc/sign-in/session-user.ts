import { tokenNotValid } from '@figbase/kit/keys'
import type { Ctx } from '../../context.js'
import { findSessionUser, type SessionUser } from '../../queries/sessions.js'
import { markSignInUsed } from '../../queries/sign-ins.js'

/** The user of a session, which counts as used; 401 if it is unknown or has ended. */
export async function requireSessionUser(ctx: Ctx, token: string): Promise<SessionUser> {
  const session = ctx.tokens.readSession(token)
  const user = await findSessionUser(ctx.db, session)
  if (!user) throw tokenNotValid()
  if (user.is_stale) await ctx.write((db) => markSignInUsed(db, session.id))
  return user
}
