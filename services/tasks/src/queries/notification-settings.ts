import { type Executor, statement } from '@figbase/kit/db'
import type { StoredSettings } from '../domain/notification-settings.js'

export type SettingsRow = StoredSettings & { digested_on: string | null }

const columns = `
  s.mention, s.reply, s.share, s.failed_task, s.stale_figure, s.digest_hour, s.digest_weekday, s.time_zone,
  s.digest_workspaces, s.digest_organizations, s.digested_on`

const found = statement<SettingsRow>(
  `select ${columns} from notification_settings s where s.username = $1`,
)

/** The username must be in lower case. Undefined if the person has chosen nothing. */
export async function findSettings(
  db: Executor,
  username: string,
): Promise<SettingsRow | undefined> {
  return (await found(db, username))[0]
}

const upserted = statement<SettingsRow, StoredSettings & { username: string }>(`
  insert into notification_settings as s (username, mention, reply, share, failed_task, stale_figure, digest_hour,
    digest_weekday, time_zone, digest_workspaces, digest_organizations)
  values (:username, :mention, :reply, :share, :failed_task, :stale_figure, :digest_hour::smallint,
    :digest_weekday::smallint, :time_zone, :digest_workspaces::uuid[], :digest_organizations::uuid[])
  on conflict on constraint notification_settings_pkey do update
     set mention = coalesce(excluded.mention, s.mention), reply = coalesce(excluded.reply, s.reply),
         share = coalesce(excluded.share, s.share),
         failed_task = coalesce(excluded.failed_task, s.failed_task),
         stale_figure = coalesce(excluded.stale_figure, s.stale_figure),
         digest_hour = coalesce(excluded.digest_hour, s.digest_hour),
         digest_weekday = coalesce(excluded.digest_weekday, s.digest_weekday),
         time_zone = coalesce(excluded.time_zone, s.time_zone),
         digest_workspaces = coalesce(excluded.digest_workspaces, s.digest_workspaces),
         digest_organizations = coalesce(excluded.digest_organizations, s.digest_organizations),
         updated_on = now()
  returning ${columns}`)

/** Null members are not changed. */
export async function upsertSettings(
  db: Executor,
  username: string,
  changes: StoredSettings,
): Promise<SettingsRow> {
  const [row] = await upserted(db, { ...changes, username })
  if (!row) throw new Error('notification settings were not stored')
  return row
}

const digested = statement<{ username: string }>(`
  update notification_settings set digested_on = $2::timestamptz
   where username = $1 and (digested_on is null or digested_on < $2::timestamptz) returning username`)

/** False if the digest of this time, or a later one, was sent before. */
export async function markDigested(db: Executor, username: string, at: string): Promise<boolean> {
  return (await digested(db, username, at)).length > 0
}

const deleted = statement<never>('delete from notification_settings where username = $1')

export async function deleteSettings(db: Executor, username: string): Promise<void> {
  await deleted(db, username)
}
