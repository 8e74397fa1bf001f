import type { HandlerContext } from '@connectrpc/connect'
import { requireUnbound } from '@figbase/kit/rpc'
import { lastPeriods } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import {
  type MonthRow,
  sumOrganizationMonths,
  sumUserMonths,
  sumWorkspaceMonths,
} from '../queries/ai-usage.js'
import type { UsageImpl } from '../routes.js'
import { requireUsageAccess } from '../usage/access.js'
import { readQuota } from '../usage/quota.js'

const monthsMax = 12

type Container = { id: string; type: NodeType }

export function listMonthlyTokens(ctx: Ctx): UsageImpl['listMonthlyTokens'] {
  return async ({ id, type }, call) => {
    const periods = lastPeriods(monthsMax)
    const [since = ''] = periods
    if (!id) {
      const rows = await sumUserMonths(ctx.db, requireUnbound(call), since)
      return { months: monthsOf(periods, rows) }
    }
    return ofContainer(ctx, { id, type }, periods, call)
  }
}

async function ofContainer(
  ctx: Ctx,
  { id, type }: Container,
  periods: string[],
  call: HandlerContext,
) {
  await requireUsageAccess(ctx, { id, type }, call)
  const sum = type === NodeType.WORKSPACE ? sumWorkspaceMonths : sumOrganizationMonths
  const rows = await sum(ctx.db, id, periods[0] ?? '')
  const quota = await readQuota(ctx, id, call)
  return { months: monthsOf(periods, rows), ...(quota && { quota }) }
}

function monthsOf(periods: string[], rows: MonthRow[]) {
  const byPeriod = new Map(rows.map((row) => [row.period, row]))
  return periods.map((period) => {
    const row = byPeriod.get(period)
    return {
      period,
      requests: row?.requests ?? 0n,
      inputTokens: row?.input_tokens ?? 0n,
      outputTokens: row?.output_tokens ?? 0n,
    }
  })
}
