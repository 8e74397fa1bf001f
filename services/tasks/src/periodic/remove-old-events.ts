import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteOldEvents } from '../queries/live-events.js'

const batch = 5000

/** Removes live events that are older than `LIVE_EVENT_RETENTION`. */
export const removeOldEvents: Periodic<Ctx> = {
  name: 'remove-old-live-events',
  everyMs: 5 * 60_000,
  async run({ cfg, write }, signal) {
    for (;;) {
      const count = await write((db) => deleteOldEvents(db, cfg.liveRetentionMs, batch))
      if (count < batch || signal.aborted) return
    }
  },
}
