import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { toPlainLine } from '../domain/text.js'
import { duplicateTask } from '../errors.js'
import { notifyOwner } from '../live/notify.js'
import { insertTask } from '../queries/tasks.js'
import { toTask } from '../wire.js'

type Impl = ServiceImpl<typeof TasksService>

export function startTask(ctx: Ctx): Impl['startTask'] {
  return async (req, call) => {
    const owner = requireUser(call)
    if (!isUuid(req.id)) throw invalid('id', 'must be a UUID')
    if (!req.type) throw invalid('type', 'is required')
    const { textCharsMax } = ctx.cfg
    const name = toPlainLine(req.name, textCharsMax)
    const type = toPlainLine(req.type, textCharsMax)
    const task = await ctx.transact(async (tx) => {
      const row = await insertTask(tx, { id: req.id, owner, name, type })
      if (row.owner === owner) await notifyOwner(ctx, tx, row.id)
      return row
    })
    if (task.owner !== owner) throw duplicateTask()
    return { task: toTask(task) }
  }
}
