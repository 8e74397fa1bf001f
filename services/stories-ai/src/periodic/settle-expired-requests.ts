import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { listExpiredRequests, type Settlement, settleRequests } from '../queries/ai-requests.js'

const batch = 500

const byEstimate: Settlement = {
  inputTokens: null,
  outputTokens: null,
  estimatedTokens: null,
  isCounted: true,
}

/** Counts requests of processes that ended, by estimate. */
export const settleExpiredRequests: Periodic<Ctx> = {
  name: 'settle-expired-ai-requests',
  everyMs: 5000,
  idleMsMax: 60_000,
  async run(ctx, signal) {
    for (let settled = 0; ; signal.throwIfAborted()) {
      const ids = await listExpiredRequests(ctx.db, batch)
      if (ids.length > 0) await ctx.write((db) => settleRequests(db, ids, byEstimate))
      settled += ids.length
      if (ids.length < batch) return settled > 0
    }
  },
}
