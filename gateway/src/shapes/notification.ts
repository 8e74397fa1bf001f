import { NotificationDelivery, type NotificationSettings } from '@figbase/proto/notifications'
import { z } from 'zod'
import { idText } from '../routes/body-members.js'

export const deliveries = ['at_once', 'digest', 'none'] as const
export const notificationKinds = [
  'mention',
  'reply',
  'share',
  'failed_task',
  'stale_figure',
] as const

const delivery = z.enum(deliveries)

export const weekdays = [
  'daily',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
  'sunday',
] as const

export const notificationMembers = {
  mention: delivery,
  reply: delivery,
  share: delivery,
  failed_task: delivery,
  stale_figure: delivery,
  digest_day: z.enum(weekdays),
  digest_hour: z.int('must be an integer'),
  time_zone: z.string('must be a string'),
  digest_workspaces: z.array(idText, 'must be a list'),
  digest_organizations: z.array(idText, 'must be a list'),
}

export const notificationSettingsSchema = z.object(notificationMembers).meta({
  id: 'NotificationSettings',
  description: 'What reaches the user by mail: at once, in a digest, or not.',
})

type Settings = z.output<typeof notificationSettingsSchema>

const toName = (value: NotificationDelivery) =>
  deliveries.find((name) => toDelivery(name) === value) ?? 'none'

export const toDelivery = (name: (typeof deliveries)[number]): NotificationDelivery =>
  ({
    at_once: NotificationDelivery.AT_ONCE,
    digest: NotificationDelivery.DIGEST,
    none: NotificationDelivery.NONE,
  })[name]

export const notificationSettingsShape = (settings: NotificationSettings): Settings => ({
  mention: toName(settings.mention),
  reply: toName(settings.reply),
  share: toName(settings.share),
  failed_task: toName(settings.failedTask),
  stale_figure: toName(settings.staleFigure),
  digest_day: weekdays[settings.digestWeekday] ?? 'daily',
  digest_hour: settings.digestHour,
  time_zone: settings.timeZone,
  digest_workspaces: settings.digestWorkspaceIds,
  digest_organizations: settings.digestOrganizationIds,
})

/** The request for an update. Absent members are not changed. */
export const toNotificationUpdate = (changes: Partial<Settings>) => ({
  ...(changes.mention && { mention: toDelivery(changes.mention) }),
  ...(changes.reply && { reply: toDelivery(changes.reply) }),
  ...(changes.share && { share: toDelivery(changes.share) }),
  ...(changes.failed_task && { failedTask: toDelivery(changes.failed_task) }),
  ...(changes.stale_figure && { staleFigure: toDelivery(changes.stale_figure) }),
  ...(changes.digest_day && { digestWeekday: weekdays.indexOf(changes.digest_day) }),
  ...(changes.digest_hour !== undefined && { digestHour: changes.digest_hour }),
  ...(changes.time_zone !== undefined && { timeZone: changes.time_zone }),
  ...(changes.digest_workspaces && { digestWorkspaces: { ids: changes.digest_workspaces } }),
  ...(changes.digest_organizations && {
    digestOrganizations: { ids: changes.digest_organizations },
  }),
})
