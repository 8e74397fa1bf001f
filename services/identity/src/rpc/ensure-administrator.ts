import { requireSystem } from '@figbase/kit/rpc'
import { createAdministrator } from '../administrator.js'
import type { Ctx } from '../context.js'
import { ensurePrimaryWorkspaceNow } from '../jobs/ensure-primary-workspace.js'
import type { Impl } from '../routes.js'

export function ensureAdministrator(ctx: Ctx): Impl['ensureAdministrator'] {
  return async (req, call) => {
    requireSystem(call)
    const { username, email, password } = req
    const created = await createAdministrator(ctx, { username, email, password })
    if (created) await ensurePrimaryWorkspaceNow(ctx, username)
    return { created }
  }
}
