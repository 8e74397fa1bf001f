import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireUser } from '@figbase/kit'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { readable } from '../domain/text.js'
import { duplicateTask } from '../errors.js'
import { tellOwner } from '../live/tell.js'
import { insertTask } from '../queries/tasks.js'
import { toTask } from '../wire.js'

type Impl = ServiceImpl<typeof TasksService>

export function startTask(ctx: Ctx): Impl['startTask'] {
  return async (req, call) => {
    const owner = requireUser(call)
    if (!isUuid(req.id)) throw invalid('id', 'must be a UUID')
    if (!req.type) throw invalid('type', 'is required')
    const { textCharsMax } = ctx.cfg
    const name = readable(req.name, textCharsMax)
    const type = readable(req.type, textCharsMax)
    const task = await ctx.transact(async (tx) => {
      const opened = await insertTask(tx, { id: req.id, owner, name, type })
      if (opened.owner === owner) await tellOwner(ctx, tx, opened.id)
      return opened
    })
    if (task.owner !== owner) throw duplicateTask()
    return { task: toTask(task) }
  }
}
