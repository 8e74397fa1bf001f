import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireSystem } from '@figbase/kit'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { listRevokedOf } from '../queries/tasks.js'

type Impl = ServiceImpl<typeof TasksService>

const idsMax = 1000

export function listRevoked(ctx: Ctx): Impl['listRevoked'] {
  return async ({ ids }, call) => {
    requireSystem(call)
    if (ids.length > idsMax) throw invalid('ids', `must be at most ${idsMax}`)
    if (!ids.every(isUuid)) throw invalid('ids', 'must be UUIDs')
    return { ids: await listRevokedOf(ctx.db, ids) }
  }
}
