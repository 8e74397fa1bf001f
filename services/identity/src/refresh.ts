import { type IssuedToken, tokenNotValid } from '@figbase/kit'
import type { Ctx } from './context.js'
import { isSpent } from './queries/spent-tokens.js'
import { findLogin, type Login } from './queries/users.js'

/** Whose refresh token this is; throws `token_not_valid` when it was revoked, or its user is not active. */
export async function userOfRefresh(
  ctx: Ctx,
  refresh: string,
): Promise<{ user: Login; token: IssuedToken }> {
  const token = ctx.tokens.readRefresh(refresh)
  const [user, revoked] = await Promise.all([
    findLogin(ctx.db, token.username),
    isSpent(ctx.db, token.id),
  ])
  const isCurrent = user?.is_active && user.token_generation === token.generation
  if (!isCurrent || revoked) throw tokenNotValid()
  return { user, token }
}
