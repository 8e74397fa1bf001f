import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireUnbound } from '@figbase/kit/rpc'
import type { TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { taskId } from '../domain/ids.js'
import { unknownTask } from '../errors.js'
import { listLogs } from '../queries/logs.js'
import { findOwn } from '../queries/tasks.js'
import { toLog } from '../wire.js'

type Impl = ServiceImpl<typeof TasksService>

/** Oldest first; a first line says how many lines were dropped. */
export function listTaskLogs(ctx: Ctx): Impl['listTaskLogs'] {
  return async (req, call) => {
    const owner = requireUnbound(call)
    const task = await findOwn(ctx.db, taskId(req.id), owner)
    if (!task) throw unknownTask()
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listLogs(ctx.db, task.id, limit + 1, after?.seq), limit)
    const [oldest] = page.rows
    const line = `[${task.logs_dropped} earlier lines were dropped]`
    const gap = !after && oldest && task.logs_dropped > 0 ? [{ ...oldest, line }] : []
    return { logs: [...gap, ...page.rows].map(toLog), nextPageToken: page.nextPageToken }
  }
}
