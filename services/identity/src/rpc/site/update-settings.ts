import { invalid, validateAll } from '@figbase/kit/errors'
import { requireStaff } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { UpdateSettingsRequest } from '@figbase/proto/identity/site'
import type { Ctx } from '../../context.js'
import { settingsChanged } from '../../errors.js'
import { pushSiteRules, pushSiteRulesNow } from '../../jobs/push-site-rules.js'
import { type SiteSettingsChange, updateSiteSettings } from '../../queries/site-settings.js'
import type { SiteImpl } from '../../routes.js'
import { toSettings } from '../../site-settings.js'

const siteNameCharsMax = 100
const announcementCharsMax = 2000

export function updateSettings(ctx: Ctx): SiteImpl['updateSettings'] {
  return async (req, call) => {
    const by = requireStaff(call)
    const change = checkedChange(req, ctx.cfg.aiModels, by)
    const row = await ctx.transact(async (tx) => {
      const row = await updateSiteSettings(tx, change)
      if (!row) throw settingsChanged()
      await ctx.enqueue(tx, pushSiteRules, {}, { key: 'site' })
      return row
    })
    await pushSiteRulesNow(ctx)
    return { settings: toSettings(row, ctx.cfg) }
  }
}

function checkedChange(
  req: UpdateSettingsRequest,
  aiModels: string[],
  by: string,
): SiteSettingsChange {
  const { siteName, announcement, aiEnabled, aiModel } = req
  validateAll({
    siteName: () =>
      siteName !== undefined &&
      checkedText('site_name', siteName, { charsMin: 1, charsMax: siteNameCharsMax }),
    announcement: () =>
      announcement !== undefined &&
      checkedText('announcement', announcement, { charsMax: announcementCharsMax }),
    aiEnabled: () => aiEnabled && requireModels('ai_enabled', aiModels),
    aiModel: () => aiModel && checkModel(aiModel, aiModels),
  })
  const { signUpEnabled, linkSharingEnabled, expectedVersion } = req
  const switches = { signUpEnabled, linkSharingEnabled, aiEnabled }
  return { siteName, announcement, ...switches, aiModel, expectedVersion, by }
}

function requireModels(field: string, aiModels: string[]) {
  if (aiModels.length === 0) throw invalid(field, 'no language model is configured')
}

function checkModel(aiModel: string, aiModels: string[]) {
  requireModels('ai_model', aiModels)
  if (!aiModels.includes(aiModel)) {
    throw invalid('ai_model', `must be one of ${aiModels.join(', ')}`)
  }
}
