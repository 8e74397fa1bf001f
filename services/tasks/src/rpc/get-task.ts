import type { ServiceImpl } from '@connectrpc/connect'
import { requireUnbound } from '@figbase/kit/rpc'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { taskId } from '../domain/ids.js'
import { unknownTask } from '../errors.js'
import { findOwn } from '../queries/tasks.js'
import { toTask } from '../wire.js'

type Impl = ServiceImpl<typeof TasksService>

export function getTask(ctx: Ctx): Impl['getTask'] {
  return async (req, call) => {
    const owner = requireUnbound(call)
    const task = await findOwn(ctx.db, taskId(req.id), owner)
    if (!task) throw unknownTask()
    return { task: toTask(task) }
  }
}
