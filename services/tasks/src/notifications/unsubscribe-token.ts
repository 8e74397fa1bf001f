import { type KeyRing, readToken, signToken } from '@figbase/kit/keys'
import { type NotificationKind, notificationKinds } from '../domain/notification-settings.js'

/** For `keys.derive`. */
export const unsubscribePurpose = 'links of mails that end such mails'

/** What a link ends: mails of one kind, or digests. */
export type Unsubscription = { username: string; from: NotificationKind | 'digest' }

const validDays = 365

export const unsubscribeToken = (keys: KeyRing, { username, from }: Unsubscription): string =>
  signToken({ from }, keys, { subject: username, expiresIn: `${validDays}d` })

/** Undefined unless the token is valid. */
export function readUnsubscribeToken(keys: KeyRing, token: string): Unsubscription | undefined {
  const { sub: username, from: named } = readToken(token, keys, {}) ?? {}
  const from = [...notificationKinds, 'digest' as const].find((one) => one === named)
  return username && from ? { username, from } : undefined
}
