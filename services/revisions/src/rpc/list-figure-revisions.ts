import { forward } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Impl } from '../routes.js'
import { summariesOf } from './summaries.js'

export function listFigureRevisions(ctx: Ctx): Impl['listFigureRevisions'] {
  return async ({ figureId: parentId, pageSize, pageToken }, call) => {
    const request = { parentId, type: NodeType.FIGURE_REVISION, pageSize, pageToken }
    const { nodes, nextPageToken } = await ctx.catalog.listChildren(request, forward(call))
    return { revisions: await summariesOf(ctx, nodes), nextPageToken }
  }
}
