import { create } from '@bufbuild/protobuf'
import { invalid } from '@figbase/kit/errors'
import { NotificationDelivery, NotificationSettingsSchema } from '@figbase/proto/notifications'
import type { Delivery, NotificationSettings } from './domain/notification-settings.js'

export const toSettings = (settings: NotificationSettings) =>
  create(NotificationSettingsSchema, {
    mention: NotificationDelivery[settings.mention],
    reply: NotificationDelivery[settings.reply],
    share: NotificationDelivery[settings.share],
    failedTask: NotificationDelivery[settings.failed_task],
    staleFigure: NotificationDelivery[settings.stale_figure],
    digestHour: settings.digest_hour,
    digestWeekday: settings.digest_weekday,
    timeZone: settings.time_zone,
    digestWorkspaceIds: settings.digest_workspaces,
    digestOrganizationIds: settings.digest_organizations,
  })

const deliveries: Partial<Record<NotificationDelivery, Delivery>> = {
  [NotificationDelivery.NONE]: 'NONE',
  [NotificationDelivery.AT_ONCE]: 'AT_ONCE',
  [NotificationDelivery.DIGEST]: 'DIGEST',
}

/** Null if the field is absent. */
export function checkedDelivery(
  field: string,
  delivery: NotificationDelivery | undefined,
): Delivery | null {
  if (delivery === undefined) return null
  const found = deliveries[delivery]
  if (!found) throw invalid(field, 'must be at once, as a digest or none')
  return found
}
