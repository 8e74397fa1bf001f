import type { ServiceImpl } from '@connectrpc/connect'
import { decodeCursor, pageSize, toIso, toPage } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUnbound } from '@figbase/kit/rpc'
import type { ListTasksRequest, TaskStatus, TasksService } from '@figbase/proto/tasks'
import type { Ctx } from '../context.js'
import { statuses, statusOf } from '../domain/status.js'
import { type Filters, listOwn } from '../queries/tasks.js'
import { toTask } from '../wire.js'

type Impl = ServiceImpl<typeof TasksService>

export function listTasks(ctx: Ctx): Impl['listTasks'] {
  return async (req, call) => {
    const owner = requireUnbound(call)
    const filters = filtersOf(req)
    const limit = pageSize(req.pageSize)
    const after = decodeCursor(req.pageToken)
    const page = toPage(await listOwn(ctx.db, owner, filters, limit + 1, after), limit)
    return { tasks: page.rows.map(toTask), nextPageToken: page.nextPageToken }
  }
}

function filtersOf(req: ListTasksRequest): Filters {
  const { createdFrom, createdTo, completedFrom, completedTo } = req
  return {
    statuses: req.statuses.length > 0 ? [...new Set(req.statuses.map(knownStatus))] : statuses,
    createdFrom: createdFrom ? toIso(createdFrom) : null,
    createdTo: createdTo ? toIso(createdTo) : null,
    completedFrom: completedFrom ? toIso(completedFrom) : null,
    completedTo: completedTo ? toIso(completedTo) : null,
  }
}

function knownStatus(status: TaskStatus) {
  const known = statusOf(status)
  if (!known) throw invalid('statuses', 'unknown status')
  return known
}
