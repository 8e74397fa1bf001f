import { ObjectMissing } from '@figbase/kit'
import type { Ctx } from '../context.js'
import type { StoredThumbnail } from '../queries/thumbnails.js'
import { etagOf } from './thumbnail-size.js'

type Answer = { png?: Uint8Array; etag?: string }

/** A thumbnail that was found; when it was replaced since then, the one that `find` finds now, if any. */
export async function currentThumbnail(
  ctx: Ctx,
  found: StoredThumbnail,
  find: () => Promise<StoredThumbnail | undefined>,
  sizePx: number,
): Promise<Answer> {
  try {
    return await answer(ctx, found, sizePx)
  } catch (error) {
    if (!(error instanceof ObjectMissing)) throw error
    const now = await find()
    if (now?.key === found.key) throw error
    return now ? answer(ctx, now, sizePx) : {}
  }
}

const answer = async (ctx: Ctx, thumbnail: StoredThumbnail, sizePx: number) => ({
  png: await ctx.thumbnails.read(thumbnail, sizePx),
  etag: etagOf(thumbnail, sizePx),
})
