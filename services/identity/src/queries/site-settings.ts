import { type Executor, statement } from '@figbase/kit/db'
import type { Selectable, Transaction } from 'kysely'
import type { Database, SiteSettingsTable } from '../db/schema.js'

type Tx = Transaction<Database>

export type SiteSettingsRow = Omit<
  Selectable<SiteSettingsTable>,
  'id' | 'updated_by' | 'updated_on'
>

const columns = `
  s.version, s.site_name, s.announcement, s.sign_up_enabled, s.link_sharing_enabled, s.ai_enabled,
  s.ai_model`

const row = statement<SiteSettingsRow>(`select ${columns} from site_settings s`)

/** The table has one row, inserted by the migration. */
export async function getSiteSettings(db: Executor): Promise<SiteSettingsRow> {
  const [settings] = await row(db)
  if (!settings) throw new Error('site settings row not found')
  return settings
}

/** Undefined members are not changed. */
export type SiteSettingsChange = {
  siteName: string | undefined
  announcement: string | undefined
  signUpEnabled: boolean | undefined
  linkSharingEnabled: boolean | undefined
  aiEnabled: boolean | undefined
  aiModel: string | undefined
  expectedVersion: number | undefined
  by: string
}

const updated = statement<SiteSettingsRow, SiteSettingsChange>(`
  update site_settings s
     set site_name = coalesce(:siteName, s.site_name),
         announcement = coalesce(:announcement, s.announcement),
         sign_up_enabled = coalesce(:signUpEnabled::boolean, s.sign_up_enabled),
         link_sharing_enabled = coalesce(:linkSharingEnabled::boolean, s.link_sharing_enabled),
         ai_enabled = coalesce(:aiEnabled::boolean, s.ai_enabled),
         ai_model = coalesce(:aiModel, s.ai_model),
         version = s.version + 1, updated_by = :by, updated_on = now()
   where :expectedVersion::int is null or s.version = :expectedVersion
  returning ${columns}`)

/** Undefined when the version differs from `expectedVersion`. */
export async function updateSiteSettings(
  tx: Tx,
  change: SiteSettingsChange,
): Promise<SiteSettingsRow | undefined> {
  return (await updated(tx, change))[0]
}
