import { forward } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'
import { summariesOf } from './summaries.js'

export function listVisibleFigureRevisions(ctx: Ctx): Impl['listVisibleFigureRevisions'] {
  return async ({ pageSize, pageToken }, call) => {
    const request = { type: NodeType.FIGURE_REVISION, pageSize, pageToken }
    const { nodes, nextPageToken } = await ctx.catalog.listNodes(request, forward(call))
    return { revisions: await summariesOf(ctx, nodes), nextPageToken }
  }
}
