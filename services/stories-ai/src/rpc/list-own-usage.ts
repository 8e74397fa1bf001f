import { requireUnbound } from '@figbase/kit/rpc'
import { parsePeriod } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import { listUserUsage } from '../queries/ai-usage.js'
import type { UsageImpl } from '../routes.js'
import { readPage } from '../usage/read-page.js'

export function listOwnUsage({ db }: Ctx): UsageImpl['listOwnUsage'] {
  return async (request, call) => {
    const username = requireUnbound(call)
    const period = parsePeriod(request.period).name
    const page = await readPage(request, (at) => listUserUsage(db, username, period, at))
    return { period, ...page }
  }
}
