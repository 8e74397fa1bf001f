import { validateAll } from '@figbase/kit/errors'
import { forward, requireUnbound } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import {
  checkedHour,
  checkedTimeZone,
  checkedWeekday,
  hasPlaces,
  settingsOf,
} from '../../domain/notification-settings.js'
import { checkedPlaces, requireViewable } from '../../notifications/digest-places.js'
import { ownSettings } from '../../notifications/own-settings.js'
import { planDigest } from '../../notifications/plan-digest.js'
import { upsertSettings } from '../../queries/notification-settings.js'
import { listForDigest } from '../../queries/notifications.js'
import type { NotificationsImpl } from '../../routes.js'
import { checkedDelivery, toSettings } from '../../wire-notifications.js'

export function updateNotificationSettings(
  ctx: Ctx,
): NotificationsImpl['updateNotificationSettings'] {
  return async (req, call) => {
    const caller = requireUnbound(call)
    const username = caller.toLowerCase()
    const { digestHour: hour, digestWeekday: weekday, timeZone } = req
    const changes = validateAll({
      mention: () => checkedDelivery('mention', req.mention),
      reply: () => checkedDelivery('reply', req.reply),
      share: () => checkedDelivery('share', req.share),
      failed_task: () => checkedDelivery('failed_task', req.failedTask),
      stale_figure: () => checkedDelivery('stale_figure', req.staleFigure),
      digest_hour: () => (hour === undefined ? null : checkedHour(hour)),
      digest_weekday: () => (weekday === undefined ? null : checkedWeekday(weekday)),
      time_zone: () => (timeZone === undefined ? null : checkedTimeZone(timeZone)),
      digest_workspaces: () => checkedPlaces(ctx, 'digest_workspaces', req.digestWorkspaces?.ids),
      digest_organizations: () =>
        checkedPlaces(ctx, 'digest_organizations', req.digestOrganizations?.ids),
    })
    await requireViewable(ctx, caller, changes, call)
    if (changes.mention) {
      const profileJson = JSON.stringify({ mention_emails: changes.mention !== 'NONE' })
      await ctx.accounts.updateUser({ username: caller, profileJson }, forward(call))
    }
    const stored = await ctx.transact(async (tx) => {
      const row = await upsertSettings(tx, username, changes)
      const settings = settingsOf(row, true)
      const isWaiting = hasPlaces(settings) || (await listForDigest(tx, username, 1)).length > 0
      if (isWaiting) await planDigest(ctx, tx, username, settings)
      return row
    })
    return { settings: toSettings(await ownSettings(ctx, username, stored, call)) }
  }
}
