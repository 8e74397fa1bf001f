import { type IssuedToken, tokenNotValid } from '@figbase/kit/keys'
import type { Ctx } from './context.js'
import { getTokenState } from './queries/spent-tokens.js'
import { findLogin, type Login } from './queries/users.js'

/** The user of a refresh token; throws `token_not_valid` when the token was revoked or the user is not active. */
export async function verifyRefreshToken(
  ctx: Ctx,
  refresh: string,
): Promise<{ user: Login; token: IssuedToken; isStale: boolean }> {
  const token = ctx.tokens.readRefresh(refresh)
  const [user, state] = await Promise.all([
    findLogin(ctx.db, token.username),
    getTokenState(ctx.db, token.id),
  ])
  const isCurrent = user?.is_active && user.token_generation === token.generation
  if (!isCurrent || state.is_spent) throw tokenNotValid()
  return { user, token, isStale: state.is_stale }
}
