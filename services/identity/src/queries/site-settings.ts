import { type Executor, statement } from '@figbase/kit'
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

/** There is one row, which the migration made. */
export async function getSiteSettings(db: Executor): Promise<SiteSettingsRow> {
  const [settings] = await row(db)
  if (!settings) throw new Error('the settings of the site are gone')
  return settings
}

/** What is undefined stays as it is. */
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

const updated = statement<SiteSettingsRow>(`
  update site_settings s
     set site_name = coalesce($1, s.site_name), announcement = coalesce($2, s.announcement),
         sign_up_enabled = coalesce($3::boolean, s.sign_up_enabled),
         link_sharing_enabled = coalesce($4::boolean, s.link_sharing_enabled),
         ai_enabled = coalesce($5::boolean, s.ai_enabled), ai_model = coalesce($6, s.ai_model),
         version = s.version + 1, updated_by = $8, updated_on = now()
   where $7::int is null or s.version = $7
  returning ${columns}`)

/** Undefined when they have another version than is expected. */
export async function updateSiteSettings(
  tx: Tx,
  { siteName, announcement, signUpEnabled, linkSharingEnabled, ...change }: SiteSettingsChange,
): Promise<SiteSettingsRow | undefined> {
  const { aiEnabled, aiModel, expectedVersion, by } = change
  const texts = [siteName, announcement]
  const switches = [signUpEnabled, linkSharingEnabled, aiEnabled]
  return (await updated(tx, ...texts, ...switches, aiModel, expectedVersion, by))[0]
}
