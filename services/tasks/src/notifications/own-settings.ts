import type { HandlerContext } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import {
  type NotificationSettings,
  type StoredSettings,
  settingsOf,
} from '../domain/notification-settings.js'
import { findRecipient } from './recipient.js'

/** The settings of a person whose stored ones are known. */
export async function ownSettings(
  ctx: Pick<Ctx, 'accounts'>,
  username: string,
  stored: StoredSettings | undefined,
  { signal }: HandlerContext,
): Promise<NotificationSettings> {
  const recipient = await findRecipient(ctx, username, signal)
  return settingsOf(stored, recipient?.mentionEmails ?? true)
}
