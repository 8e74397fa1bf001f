import { invalid } from '@figbase/kit/errors'
import { nextRun } from '@figbase/kit/jobs'

export const notificationKinds = [
  'mention',
  'reply',
  'share',
  'failed_task',
  'stale_figure',
] as const
export type NotificationKind = (typeof notificationKinds)[number]

export type Delivery = 'NONE' | 'AT_ONCE' | 'DIGEST'
export type Choices = Record<NotificationKind, Delivery>
export type DigestTime = { digest_hour: number; digest_weekday: number; time_zone: string }

export const digestPlaceFields = ['digest_workspaces', 'digest_organizations'] as const
/** The digest also has what others do there. */
export type DigestPlaces = Record<(typeof digestPlaceFields)[number], string[]>

export type NotificationSettings = Choices & DigestTime & DigestPlaces

/** Null members have the default. */
export type StoredSettings = {
  [Member in keyof NotificationSettings]: NotificationSettings[Member] | null
}

/** Changes nothing. */
export const unchanged: StoredSettings = {
  ...{ mention: null, reply: null, share: null, failed_task: null, stale_figure: null },
  ...{ digest_hour: null, digest_weekday: null, time_zone: null },
  ...{ digest_workspaces: null, digest_organizations: null },
}

export const noPlaces: DigestPlaces = { digest_workspaces: [], digest_organizations: [] }

const defaults: NotificationSettings = {
  mention: 'AT_ONCE',
  reply: 'AT_ONCE',
  share: 'AT_ONCE',
  failed_task: 'DIGEST',
  stale_figure: 'DIGEST',
  digest_hour: 8,
  digest_weekday: 0,
  time_zone: 'UTC',
  ...noPlaces,
}

/** The settings of a person. Mails about mentions can also be switched off in their profile. */
export function settingsOf(
  stored: StoredSettings | undefined,
  mentionEmails: boolean,
): NotificationSettings {
  const chosen = Object.entries(stored ?? {}).filter(
    ([name, value]) => name in defaults && value !== null,
  )
  const settings: NotificationSettings = { ...defaults, ...Object.fromEntries(chosen) }
  return mentionEmails ? settings : { ...settings, mention: 'NONE' }
}

/** Whether the digest has what others do in some place. */
export const hasPlaces = (settings: DigestPlaces): boolean =>
  digestPlaceFields.some((field) => settings[field].length > 0)

/** The time of the first digest after a time. */
export function nextDigest(
  { digest_hour: hour, digest_weekday: weekday, time_zone: timeZone }: DigestTime,
  after: Date,
): Date {
  // In cron expressions, Sunday is 0.
  return nextRun(`0 ${hour} * * ${weekday === 0 ? '*' : weekday % 7}`, timeZone, after)
}

const dayMs = 24 * 3_600_000

/** Before the first digest of a person. */
export const sinceBefore = ({ digest_weekday }: DigestTime, time: Date): Date =>
  new Date(time.getTime() - (digest_weekday === 0 ? dayMs : 7 * dayMs))

/** Whether a digest is sent at this time: the settings may have changed since it was planned. */
export const isDigestTime = (settings: DigestTime, time: Date): boolean =>
  nextDigest(settings, new Date(time.getTime() - 1)).getTime() === time.getTime()

export function checkedHour(hour: number): number {
  if (hour < 0 || hour > 23) throw invalid('digest_hour', 'must be from 0 to 23')
  return hour
}

export function checkedWeekday(weekday: number): number {
  if (weekday < 0 || weekday > 7)
    throw invalid('digest_weekday', 'must be from 1, Monday, to 7, or 0 for each day')
  return weekday
}

const timeZones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])

export function checkedTimeZone(timeZone: string): string {
  if (!timeZones.has(timeZone))
    throw invalid('time_zone', 'must be a time zone, such as "UTC" or "Europe/Berlin"')
  return timeZone
}
