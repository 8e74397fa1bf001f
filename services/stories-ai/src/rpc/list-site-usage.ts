import { requireStaff } from '@figbase/kit/rpc'
import { parsePeriod } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import { listSiteUsage as listRows } from '../queries/ai-usage.js'
import type { UsageImpl } from '../routes.js'
import { readPage } from '../usage/read-page.js'

export function listSiteUsage({ db }: Ctx): UsageImpl['listSiteUsage'] {
  return async (request, call) => {
    requireStaff(call)
    const period = parsePeriod(request.period).name
    const page = await readPage(request, (at) => listRows(db, period, at))
    return { period, ...page }
  }
}
