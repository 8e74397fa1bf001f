import { invalid, validateAll } from '@figbase/kit/errors'
import { requireStaff } from '@figbase/kit/rpc'
import { checkedText } from '@figbase/kit/text'
import type { UpdateSettingsRequest } from '@figbase/proto/identity/site'
import { StaffActionKind } from '@figbase/proto/identity/staff'
import type { Ctx } from '../../context.js'
import { settingsChanged } from '../../errors.js'
import { pushSiteRules, pushSiteRulesNow } from '../../jobs/push-site-rules.js'
import {
  getSiteSettings,
  type SiteSettingsChange,
  type SiteSettingsRow,
  updateSiteSettings,
} from '../../queries/site-settings.js'
import { insertStaffAction } from '../../queries/staff-actions.js'
import type { SiteImpl } from '../../routes.js'
import { toSettings } from '../../site-settings.js'

const siteNameCharsMax = 100
const announcementCharsMax = 2000

export function updateSettings(ctx: Ctx): SiteImpl['updateSettings'] {
  return async (req, call) => {
    const by = requireStaff(call)
    const change = checkedChange(req, ctx.cfg.aiModels, by)
    const row = await ctx.transact(async (tx) => {
      const before = await getSiteSettings(tx)
      const row = await updateSiteSettings(tx, change)
      if (!row) throw settingsChanged()
      await insertStaffAction(tx, {
        by,
        kind: StaffActionKind.CHANGE_SETTINGS,
        target: changedOf(before, row),
      })
      await ctx.enqueue(tx, pushSiteRules, {}, { key: 'site' })
      return row
    })
    await pushSiteRulesNow(ctx)
    return { settings: toSettings(row, ctx.cfg) }
  }
}

/** The names of the settings that were changed. */
const changedOf = (before: SiteSettingsRow, after: SiteSettingsRow) =>
  Object.entries(after)
    .filter(
      ([name, value]) => name !== 'version' && value !== before[name as keyof SiteSettingsRow],
    )
    .map(([name]) => name)
    .join(', ')

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
