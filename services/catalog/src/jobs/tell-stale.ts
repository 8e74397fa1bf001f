import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { tellStale } from '../job-names.js'
import { listMadeStale, markTold, publishStale } from '../queries/stale.js'

type Payload = { assetRevisionId: string; requestId: string }

/** Publishes an event for each figure that a new revision of an asset makes stale, once. */
export const tellStaleJob: Job<Ctx, Payload> = defineJob<Ctx, Payload>({
  ...tellStale,
  timeoutMs: 60_000,
  run: (ctx, { assetRevisionId, requestId }) =>
    ctx.transact(async (tx) => {
      const revision = await markTold(tx, assetRevisionId)
      if (!revision) return
      const found = await listMadeStale(tx, assetRevisionId, ctx.cfg.staleToldMax)
      const figures = found.map((figure) => ({ id: ctx.newOrderedId(), ...figure }))
      const { created_by: actor, created_on: at } = revision
      await publishStale(tx, figures, { assetRevisionId, at, actor, requestId })
      ctx.wakeRelay(tx)
    }),
})
