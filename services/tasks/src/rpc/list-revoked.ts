import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireSystem } from '@figbase/kit/rpc'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { listRevokedOf } from '../queries/tasks.js'

type Impl = ServiceImpl<typeof TasksService>

const idsMax = 1000

export function listRevoked(ctx: Ctx): Impl['listRevoked'] {
  return async ({ ids }, call) => {
    requireSystem(call)
    if (ids.length > idsMax) throw invalid('ids', `must have at most ${idsMax} items`)
    if (!ids.every(isUuid)) throw invalid('ids', 'must be UUIDs')
    return { ids: await listRevokedOf(ctx.db, ids) }
  }
}
