import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { listUsageHistory as listRows } from '../queries/ai-usage.js'
import type { UsageImpl } from '../routes.js'
import { readPage } from '../usage/read-page.js'

export function listUsageHistory({ db }: Ctx): UsageImpl['listUsageHistory'] {
  return async (request, call) => {
    const username = requireUnbound(call)
    const { items, nextPageToken } = await readPage(request, (at) => listRows(db, username, at))
    return { items, nextPageToken }
  }
}
