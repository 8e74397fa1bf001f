import { requireUnbound } from '@figbase/kit/rpc'
import { lastPeriods, parsePeriod } from '@figbase/kit/text'
import type { Ctx } from '../context.js'
import type { Db } from '../db/schema.js'
import { type MonthsOf, sumByMonth } from '../queries/runs.js'
import type { Impl } from '../routes.js'
import { authorizeUsage } from './get-usage.js'

const monthsMax = 12

export function listMonthlySeconds(ctx: Ctx): Impl['listMonthlySeconds'] {
  return async (req, call) => {
    const of = await authorizeUsage(ctx, req.of, call)
    return { months: await listMonths(ctx.db, of) }
  }
}

export function listOwnMonthlySeconds({ db }: Ctx): Impl['listOwnMonthlySeconds'] {
  return async (_req, call) => {
    const id = requireUnbound(call)
    return { months: await listMonths(db, { column: 'owner', id }) }
  }
}

async function listMonths(db: Db, of: MonthsOf) {
  const periods = lastPeriods(monthsMax)
  const { from } = parsePeriod(periods[0] ?? '')
  const { to } = parsePeriod(periods.at(-1) ?? '')
  const rows = await sumByMonth(db, of, { from, to })
  const used = new Map(rows.map(({ period, used_ms }) => [period, used_ms]))
  return periods.map((period) => ({
    period,
    billableSeconds: (used.get(period) ?? 0n) / 1000n,
  }))
}
