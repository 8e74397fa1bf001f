import { forward } from '@figbase/kit'
import type { Ctx } from '../context.js'
import { listFirstThumbnails } from '../queries/thumbnails.js'
import type { Impl } from '../routes.js'
import { checkSize, etagOf } from './thumbnail-size.js'

const revisionsMax = 100

export function readNewestThumbnail(ctx: Ctx): Impl['readNewestThumbnail'] {
  return async ({ id, type, sizePx }, call) => {
    checkSize(sizePx)
    const request = { id, type, pageSize: revisionsMax }
    const { ids } = await ctx.catalog.listNewestRevisions(request, forward(call))
    const [thumbnail] = ids.length > 0 ? await listFirstThumbnails(ctx.db, [ids]) : []
    if (!thumbnail) return {}
    return { png: await ctx.thumbnails.read(thumbnail, sizePx), etag: etagOf(thumbnail, sizePx) }
  }
}
