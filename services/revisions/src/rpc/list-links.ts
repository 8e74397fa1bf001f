import { forward } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'
import { toLink } from '../wire.js'
import { pageOfLinks } from './links.js'

export function listLinks(ctx: Ctx): Impl['listLinks'] {
  return async ({ assetRevisionId: id, pageToken }, call) => {
    const request = { id, permission: Permission.VIEW, type: NodeType.ASSET_REVISION }
    await ctx.catalog.checkAccess(request, forward(call))
    const { links, linksPageToken } = await pageOfLinks(ctx, id, pageToken, call)
    return { links: links.map(toLink), nextPageToken: linksPageToken }
  }
}
