import { requireStaff } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { reindex } from '../jobs/rebuild.js'
import type { Impl } from '../routes.js'

export function startReindex(ctx: Ctx): Impl['startReindex'] {
  return async (_, call) => {
    const owner = requireStaff(call)
    const options = { name: 'Rebuilding the search index', owner }
    const taskId = await ctx.transact((tx) => ctx.startTask(tx, reindex, {}, options))
    return { taskId }
  }
}
