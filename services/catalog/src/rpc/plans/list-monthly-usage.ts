import { lastPeriods, parsePeriod } from '@figbase/kit/text'
import type { Ctx } from '../../context.js'
import { subjectOf } from '../../domain/subject.js'
import { countByMonth, listStoredByMonth } from '../../queries/monthly-usage.js'
import { sumStorage } from '../../queries/subscriptions.js'
import type { PlansImpl } from '../../routes.js'
import { authorizeContainer } from '../authorize-container.js'

const monthsMax = 12

export function listMonthlyUsage({ db }: Ctx): PlansImpl['listMonthlyUsage'] {
  return async ({ nodeId, type }, call) => {
    const container = await authorizeContainer(db, { id: nodeId, type }, subjectOf(call))
    const periods = lastPeriods(monthsMax)
    const [first = ''] = periods
    const [counted, stored, now] = await Promise.all([
      countByMonth(db, container, parsePeriod(first).from),
      listStoredByMonth(db, container, first),
      sumStorage(db, container.id),
    ])
    const activities = new Map(counted.map((row) => [row.period, row.activities]))
    const bytes = new Map(stored.map((row) => [row.period, row.bytes]))
    const current = periods.at(-1) ?? ''
    // The month goes on: what is stored now may be more than what was seen last.
    if (now > (bytes.get(current) ?? 0n)) bytes.set(current, now)
    return {
      months: periods.map((period) => ({
        period,
        activities: activities.get(period) ?? 0n,
        storedBytes: bytes.get(period) ?? 0n,
      })),
    }
  }
}
