import { type IssuedToken, tokenNotValid } from '@figbase/kit'
import type { Ctx } from './context.js'
import type { UserRow } from './db/schema.js'
import { isRevoked } from './queries/revoked-tokens.js'
import { findUser } from './queries/users.js'

/** Whose refresh token this is; throws `token_not_valid` when it was revoked, or its user is not active. */
export async function userOfRefresh(
  ctx: Ctx,
  refresh: string,
): Promise<{ user: UserRow; token: IssuedToken }> {
  const token = ctx.tokens.readRefresh(refresh)
  const [user, revoked] = await Promise.all([
    findUser(ctx.db, token.username),
    isRevoked(ctx.db, token.id),
  ])
  const isCurrent = user?.is_active && user.token_generation === token.generation
  if (!isCurrent || revoked) throw tokenNotValid()
  return { user, token }
}
