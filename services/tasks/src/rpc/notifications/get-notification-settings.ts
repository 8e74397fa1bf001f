import { requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { ownSettings } from '../../notifications/own-settings.js'
import { findSettings } from '../../queries/notification-settings.js'
import type { NotificationsImpl } from '../../routes.js'
import { toSettings } from '../../wire-notifications.js'

export function getNotificationSettings(ctx: Ctx): NotificationsImpl['getNotificationSettings'] {
  return async (_, call) => {
    const username = requireUnbound(call).toLowerCase()
    const stored = await findSettings(ctx.db, username)
    return { settings: toSettings(await ownSettings(ctx, username, stored, call)) }
  }
}
