import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { revisionKind } from '../domain/revision-kind.js'
import type { Impl } from '../routes.js'
import { summariesOf } from './summaries.js'

export function listVisibleRevisions(ctx: Ctx): Impl['listVisibleRevisions'] {
  return async ({ type, pageSize, pageToken, updatedAfter }, call) => {
    const request = {
      type: revisionKind(type).nodeType,
      pageSize,
      pageToken,
      ...(updatedAfter && { updatedAfter }),
    }
    const { nodes, nextPageToken } = await ctx.catalog.listNodes(request, forward(call))
    return { revisions: await summariesOf(ctx, nodes), nextPageToken }
  }
}
