import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteOldDeliveries } from '../queries/deliveries.js'

const batch = 1000

/** Removes deliveries that are older than `WEBHOOK_LOG_RETENTION`. */
export const removeOldDeliveries: Periodic<Ctx> = {
  name: 'remove-old-deliveries',
  everyMs: 15 * 60_000,
  async run({ cfg, write }, signal) {
    for (;;) {
      const count = await write((db) => deleteOldDeliveries(db, cfg.webhookLogRetentionMs, batch))
      if (count < batch || signal.aborted) return
    }
  },
}
