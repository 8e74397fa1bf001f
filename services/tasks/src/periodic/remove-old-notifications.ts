import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { deleteOldNotifications } from '../queries/notifications.js'

const batch = 1000

/** Removes notifications that are older than `NOTIFICATION_RETENTION`. */
export const removeOldNotifications: Periodic<Ctx> = {
  name: 'remove-old-notifications',
  everyMs: 15 * 60_000,
  async run({ cfg, write }, signal) {
    for (;;) {
      const count = await write((db) =>
        deleteOldNotifications(db, cfg.notificationRetentionMs, batch),
      )
      if (count < batch || signal.aborted) return
    }
  },
}
