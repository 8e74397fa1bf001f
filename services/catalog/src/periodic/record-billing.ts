import type { Periodic } from '@figbase/kit/service'
import { scaleOf } from '../billing/record-change.js'
import type { Ctx } from '../context.js'
import { listContainerIds, recordHolders } from '../queries/billing-accounts.js'

const containersMax = 500
const lowestId = '00000000-0000-0000-0000-000000000000'

/** Records how many members and which plan each holder has, if it changed. */
export const recordBilling: Periodic<Ctx> = {
  name: 'record-billing',
  everyMs: 3_600_000,
  async run(ctx, signal) {
    if (ctx.cfg.billing.provider === 'off') return
    for (const kind of ['organization', 'workspace'] as const) {
      let after = lowestId
      for (;;) {
        const ids = await listContainerIds(ctx.db, kind, { after, limit: containersMax })
        const last = ids.at(-1)
        if (!last || signal.aborted) break
        await ctx.write((db) => recordHolders(db, ids, scaleOf(ctx)))
        after = last
      }
    }
  },
}
