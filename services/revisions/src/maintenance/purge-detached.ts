import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { purgeDetachedData } from '../queries/blobs.js'

const batch = 500

/** Removes data that an update replaced, after the retention. */
export const purgeDetached: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'purge-detached',
  attemptsMax: 3,
  timeoutMs: 30 * 60_000,
  schedule: { cron: '17 * * * *', payload: {} },
  async run(ctx, _, signal) {
    for (let purged = batch; purged === batch; ) {
      signal.throwIfAborted()
      purged = await ctx.write((db) => purgeDetachedData(db, ctx.cfg.dataRetentionMs, batch))
    }
  },
})
