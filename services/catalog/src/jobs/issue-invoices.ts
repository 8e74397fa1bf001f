import { defineJob, type Job } from '@figbase/kit/jobs'
import { lastPeriods } from '@figbase/kit/text'
import { issueDue } from '../billing/issue.js'
import type { Ctx } from '../context.js'
import { deleteOldEvents } from '../queries/provider-events.js'

const batchesMax = 20

/** Invoices all months that have ended. It runs every hour, and makes up for missed months. */
export const issueInvoicesJob: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'issue-invoices',
  attemptsMax: 25,
  timeoutMs: 10 * 60_000,
  concurrencyMax: 1,
  schedule: { cron: '15 * * * *', payload: {} },
  async run(ctx, _payload, signal) {
    if (ctx.cfg.billing.provider === 'off') return
    await ctx.write(deleteOldEvents)
    const [lastMonth = ''] = lastPeriods(2)
    for (let batch = 0; batch < batchesMax; batch++) {
      if (!(await issueDue(ctx, lastMonth, signal))) return
    }
    return { rest: {} }
  },
})
