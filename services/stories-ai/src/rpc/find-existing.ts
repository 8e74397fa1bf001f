import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listExistingIds } from '../queries/stories.js'
import type { Impl } from '../routes.js'

export function findExisting(ctx: Ctx): Impl['findExisting'] {
  return async ({ ids }, call) => {
    requireSystem(call)
    return { ids: await listExistingIds(ctx.db, ids.filter(isUuid)) }
  }
}
