import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { findFirstThumbnail } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'
import { currentThumbnail } from './current-thumbnail.js'
import { checkSize } from './thumbnail-size.js'

const revisionsMax = 100

export function readNewestThumbnail(ctx: Ctx): Impl['readNewestThumbnail'] {
  return async ({ id, type, sizePx }, call) => {
    checkSize(sizePx)
    const request = { id, type, pageSize: revisionsMax }
    const { ids } = await ctx.catalog.listNewestRevisions(request, forward(call))
    if (ids.length === 0) return { isFinal: true }
    const find = () => findFirstThumbnail(ctx.db, ids)
    return currentThumbnail(ctx, await find(), find, sizePx)
  }
}
