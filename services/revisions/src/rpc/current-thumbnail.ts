import { ObjectNotFound } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import type { FoundThumbnail, StoredThumbnail } from '../queries/thumbnails.js'
import { etagOf } from './thumbnail-size.js'

type Answer = { png?: Uint8Array; etag?: string; isProcessing?: boolean }

/** The thumbnail that was found. If its object was deleted since, `find` is tried once more. */
export async function currentThumbnail(
  ctx: Ctx,
  { thumbnail, isProcessing }: FoundThumbnail,
  find: () => Promise<FoundThumbnail>,
  sizePx: number,
): Promise<Answer> {
  if (!thumbnail) return { isProcessing }
  try {
    return await answer(ctx, thumbnail, sizePx)
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error
    const now = await find()
    if (now.thumbnail?.key === thumbnail.key) throw error
    return now.thumbnail ? answer(ctx, now.thumbnail, sizePx) : { isProcessing: now.isProcessing }
  }
}

const answer = async (ctx: Ctx, thumbnail: StoredThumbnail, sizePx: number) => ({
  png: await ctx.thumbnails.read(thumbnail, sizePx),
  etag: etagOf(thumbnail, sizePx),
})
