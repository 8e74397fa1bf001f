import type { Ctx } from '../../context.js'
import { getSiteSettings } from '../../queries/site-settings.js'
import type { SiteImpl } from '../../routes.js'
import { toSettings } from '../../site-settings.js'

export function getPublicSettings({ db, cfg }: Ctx): SiteImpl['getPublicSettings'] {
  return async () => {
    const settings = toSettings(await getSiteSettings(db), cfg)
    const { aiEnabled, aiModel, siteName, announcement, signUpEnabled } = settings
    return { aiEnabled, aiModel, siteName, announcement, signUpEnabled }
  }
}
