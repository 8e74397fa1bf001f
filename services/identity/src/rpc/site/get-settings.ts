import { principal, requireUser } from '@figbase/kit/rpc'
import type { Ctx } from '../../context.js'
import { getSiteSettings } from '../../queries/site-settings.js'
import type { SiteImpl } from '../../routes.js'
import { toSettings } from '../../site-settings.js'

export function getSettings({ db, cfg }: Ctx): SiteImpl['getSettings'] {
  return async (_, call) => {
    requireUser(call)
    const settings = toSettings(await getSiteSettings(db), cfg)
    return { settings, mayUpdate: principal(call).isStaff }
  }
}
