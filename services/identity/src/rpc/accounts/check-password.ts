import { requireSignIn } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { requirePassword } from '../../password-check.js'
import type { AccountsImpl } from '../../routes.js'

export function checkPassword(ctx: Ctx): AccountsImpl['checkPassword'] {
  return async ({ password }, call) => {
    await requirePassword(ctx, requireSignIn(call), password, call)
    return {}
  }
}
