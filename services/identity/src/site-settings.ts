import { create } from '@bufbuild/protobuf'
import type { Executor } from '@figbase/kit/db'
import { type Site, toSite } from '@figbase/kit/rpc'
import { type Settings, SettingsSchema } from '@figbase/proto/identity/site'
import type { Config } from './config.js'
import type { Ctx } from './context.js'
import { getSiteSettings, type SiteSettingsRow } from './queries/site-settings.js'

/** Not cached: a change applies at once in all processes. */
export async function isSignUpEnabled({ db, cfg }: Ctx): Promise<boolean> {
  return (await getSiteSettings(db)).sign_up_enabled ?? cfg.signUpEnabled
}

/** The site name and announcement for mails, read in the transaction that enqueues the mail. */
export async function getSite(tx: Executor): Promise<Site> {
  const { site_name, announcement } = await getSiteSettings(tx)
  return toSite({ siteName: site_name, announcement })
}

/** The effective settings: the stored ones within the bounds of the configuration. */
export function toSettings(row: SiteSettingsRow, cfg: Config): Settings {
  const { aiModels } = cfg
  return create(SettingsSchema, {
    version: row.version,
    siteName: row.site_name,
    announcement: row.announcement,
    signUpEnabled: row.sign_up_enabled ?? cfg.signUpEnabled,
    linkSharingEnabled: row.link_sharing_enabled,
    aiEnabled: row.ai_enabled && aiModels.length > 0,
    aiModel: aiModels.find((model) => model === row.ai_model) ?? aiModels[0] ?? '',
    aiSupportedModels: [...aiModels],
    metadataBytesMax: BigInt(cfg.metadataBytesMax),
    apiKeysMax: cfg.apiKeysMax,
  })
}
