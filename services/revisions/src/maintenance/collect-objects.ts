import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { collect } from './collect.js'

/** Removes objects that nothing refers to, after the grace period. */
export const collectObjects: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'collect-objects',
  attemptsMax: 3,
  timeoutMs: 6 * 60 * 60_000,
  concurrencyMax: 1,
  schedule: { cron: '7 3 * * *', payload: {} },
  async run(ctx, _, signal) {
    const collected = await collect(ctx, { graceMs: ctx.cfg.collectGraceMs, signal })
    for (const one of collected) ctx.log.info({ collected: one }, 'collected')
  },
})
