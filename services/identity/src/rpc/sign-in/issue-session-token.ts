import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import type { SignInImpl } from '../../routes.js'
import { requireSessionUser } from './session-user.js'

export function issueSessionToken(ctx: Ctx): SignInImpl['issueSessionToken'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const user = await requireSessionUser(ctx, token)
    const lifeSeconds = Math.floor(ctx.cfg.accessTokenLifeMs / 1000)
    return { access: ctx.tokens.access(user), lifeSeconds }
  }
}
