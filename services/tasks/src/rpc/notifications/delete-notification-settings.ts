import { requireSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { deleteSettings } from '../../queries/notification-settings.js'
import type { NotificationsImpl } from '../../routes.js'

/** What a deleted account has chosen. Its notifications end by themselves: nobody receives them. */
export function deleteNotificationSettings(
  ctx: Ctx,
): NotificationsImpl['deleteNotificationSettings'] {
  return async ({ username }, call) => {
    requireSystem(call)
    await ctx.write((db) => deleteSettings(db, username.toLowerCase()))
    return {}
  }
}
