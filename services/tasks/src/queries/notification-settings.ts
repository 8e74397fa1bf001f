import { type Executor, statement } from '@figbase/kit/db'
import type { StoredSettings } from '../domain/notification-settings.js'

const columns = `
  s.mention, s.reply, s.share, s.failed_task, s.stale_figure, s.digest_hour, s.digest_weekday, s.time_zone`

const found = statement<StoredSettings>(
  `select ${columns} from notification_settings s where s.username = $1`,
)

/** The username must be in lower case. Undefined if the person has chosen nothing. */
export async function findSettings(
  db: Executor,
  username: string,
): Promise<StoredSettings | undefined> {
  return (await found(db, username))[0]
}

const upserted = statement<StoredSettings, StoredSettings & { username: string }>(`
  insert into notification_settings as s (username, mention, reply, share, failed_task, stale_figure, digest_hour,
    digest_weekday, time_zone)
  values (:username, :mention, :reply, :share, :failed_task, :stale_figure, :digest_hour::smallint,
    :digest_weekday::smallint, :time_zone)
  on conflict on constraint notification_settings_pkey do update
     set mention = coalesce(excluded.mention, s.mention), reply = coalesce(excluded.reply, s.reply),
         share = coalesce(excluded.share, s.share),
         failed_task = coalesce(excluded.failed_task, s.failed_task),
         stale_figure = coalesce(excluded.stale_figure, s.stale_figure),
         digest_hour = coalesce(excluded.digest_hour, s.digest_hour),
         digest_weekday = coalesce(excluded.digest_weekday, s.digest_weekday),
         time_zone = coalesce(excluded.time_zone, s.time_zone), updated_on = now()
  returning ${columns}`)

/** Null members are not changed. */
export async function upsertSettings(
  db: Executor,
  username: string,
  changes: StoredSettings,
): Promise<StoredSettings> {
  const [row] = await upserted(db, { ...changes, username })
  if (!row) throw new Error('notification settings were not stored')
  return row
}
