import { decodeCursor, pageSize, toPage } from '@figbase/kit/db'
import { requireInstance } from '../access.js'
import type { Ctx } from '../context.js'
import { listEvents } from '../queries/instance-events.js'
import type { Impl } from '../routes.js'
import { toEvent } from '../wire.js'

export function listInstanceEvents(ctx: Ctx): Impl['listInstanceEvents'] {
  return async (req, call) => {
    const { instance } = await requireInstance(ctx, req.id, call)
    const limit = pageSize(req.pageSize)
    const rows = await listEvents(ctx.db, instance.id, limit + 1, decodeCursor(req.pageToken))
    const page = toPage(rows, limit)
    return { events: page.rows.map(toEvent), nextPageToken: page.nextPageToken }
  }
}
