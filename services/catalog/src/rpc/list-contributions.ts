import type { ServiceImpl } from '@connectrpc/connect'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { lastDays } from '../domain/days.js'
import { subjectOf } from '../domain/subject.js'
import { listContributions as listRows } from '../queries/contributions.js'

type Impl = ServiceImpl<typeof CatalogService>

const daysMax = 365

export function listContributions(ctx: Ctx): Impl['listContributions'] {
  return async (_req, call) => {
    requireUser(call)
    const dates = lastDays(daysMax, new Date())
    const rows = await listRows(ctx.db, subjectOf(call), `${dates[0]}T00:00:00Z`)
    const counts = new Map(rows.map(({ day, count }) => [day, count]))
    return { days: dates.map((date) => ({ date, count: counts.get(date) ?? 0 })) }
  }
}
