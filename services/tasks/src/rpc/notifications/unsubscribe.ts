import { invalid } from '@figbase/kit/errors'
import type { Ctx } from '../../context.js'
import {
  noPlaces,
  notificationKinds,
  type StoredSettings,
  settingsOf,
  unchanged,
} from '../../domain/notification-settings.js'
import { readUnsubscribeToken } from '../../notifications/unsubscribe-token.js'
import { findSettings, upsertSettings } from '../../queries/notification-settings.js'
import type { NotificationsImpl } from '../../routes.js'

export function unsubscribe(ctx: Ctx): NotificationsImpl['unsubscribe'] {
  return async ({ token }) => {
    const unsubscription = readUnsubscribeToken(ctx.unsubscribeKeys, token)
    if (!unsubscription) throw invalid('token', 'is not valid, or too old')
    const { username, from } = unsubscription
    const settings = settingsOf(await findSettings(ctx.db, username), true)
    const ended = notificationKinds.filter((kind) =>
      from === 'digest' ? settings[kind] === 'DIGEST' : kind === from,
    )
    const changes: StoredSettings = {
      ...unchanged,
      ...Object.fromEntries(ended.map((kind) => [kind, 'NONE'])),
      ...(from === 'digest' && noPlaces),
    }
    await ctx.write((db) => upsertSettings(db, username, changes))
    return {}
  }
}
