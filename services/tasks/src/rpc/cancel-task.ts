import type { ServiceImpl } from '@connectrpc/connect'
import { requireUnbound } from '@figbase/kit/rpc'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { taskId } from '../domain/ids.js'
import { taskFinished, unknownTask } from '../errors.js'
import { notifyOwner } from '../live/notify.js'
import { findOwn, revokeOwn } from '../queries/tasks.js'
import { toTask } from '../wire.js'

type Impl = ServiceImpl<typeof TasksService>

/** Marks the task as cancelled; the worker learns this from its next report or from ListRevoked. */
export function cancelTask(ctx: Ctx): Impl['cancelTask'] {
  return async (req, call) => {
    const owner = requireUnbound(call)
    const id = taskId(req.id)
    const revoked = await ctx.transact(async (tx) => {
      const task = await revokeOwn(tx, id, owner)
      if (task) await notifyOwner(ctx, tx, id)
      return task
    })
    if (revoked) return { task: toTask(revoked) }
    throw (await findOwn(ctx.db, id, owner)) ? taskFinished() : unknownTask()
  }
}
