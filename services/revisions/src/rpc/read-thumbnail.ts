import { forward, invalid } from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { findThumbnail } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'

const sizePxMax = 4096

export function readThumbnail(ctx: Ctx): Impl['readThumbnail'] {
  return async ({ revisionId, sizePx }, call) => {
    if (sizePx < 0 || sizePx > sizePxMax) throw invalid('size', `must be from 1 to ${sizePxMax}`)
    const request = {
      id: revisionId,
      permission: Permission.VIEW,
      type: NodeType.FIGURE_REVISION,
    }
    await ctx.catalog.checkAccess(request, forward(call))

    const thumbnail = await findThumbnail(ctx.db, revisionId)
    if (!thumbnail) return {}
    return { png: await ctx.thumbnails.read(thumbnail, sizePx), etag: etagOf(thumbnail, sizePx) }
  }
}

function etagOf({ digest }: { digest: string }, sizePx: number) {
  return `${digest.slice(0, 32)}-${sizePx}`
}
