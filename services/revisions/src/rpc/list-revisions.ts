import { forward } from '@figbase/kit/rpc'
import { ChildOrder } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { revisionKind } from '../domain/revision-kind.js'
import type { Impl } from '../routes.js'
import { summariesOf } from './summaries.js'

export function listRevisions(ctx: Ctx): Impl['listRevisions'] {
  return async ({ parentId, type, pageSize, pageToken, newestFirst }, call) => {
    const { nodeType } = revisionKind(type)
    const order = newestFirst ? ChildOrder.NEWEST : ChildOrder.UNSPECIFIED
    const request = { parentId, type: nodeType, pageSize, pageToken, order }
    const { nodes, nextPageToken } = await ctx.catalog.listChildren(request, forward(call))
    return { revisions: await summariesOf(ctx, nodes), nextPageToken }
  }
}
