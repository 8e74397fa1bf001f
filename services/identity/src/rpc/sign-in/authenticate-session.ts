import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import type { SignInImpl } from '../../routes.js'
import { requireSessionUser } from './session-user.js'

export function authenticateSession(ctx: Ctx): SignInImpl['authenticateSession'] {
  return async ({ token }, call) => {
    requireSystem(call)
    const { username, is_staff } = await requireSessionUser(ctx, token)
    return { principal: { username, isStaff: is_staff } }
  }
}
