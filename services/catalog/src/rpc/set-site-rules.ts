import type { ServiceImpl } from '@connectrpc/connect'
import { requireSystem } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { updateSiteRules } from '../queries/site-rules.js'

type Impl = ServiceImpl<typeof CatalogService>

export function setSiteRules(ctx: Ctx): Impl['setSiteRules'] {
  return async ({ version, linksAllowed }, call) => {
    requireSystem(call)
    await ctx.write((db) => updateSiteRules(db, version, linksAllowed))
    return {}
  }
}
