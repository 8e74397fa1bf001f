import { ObjectNotFound } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import type { FoundThumbnail } from '../queries/thumbnails.js'
import { etagOf } from './thumbnail-size.js'

type Answer = { png?: Uint8Array; etag?: string; isProcessing?: boolean; isFinal?: boolean }

/** The thumbnail that was found. If its object was deleted since, `find` is tried once more. */
export async function currentThumbnail(
  ctx: Ctx,
  found: FoundThumbnail,
  find: () => Promise<FoundThumbnail>,
  sizePx: number,
): Promise<Answer> {
  try {
    return await answer(ctx, found, sizePx)
  } catch (error) {
    if (!(error instanceof ObjectNotFound)) throw error
    const now = await find()
    if (now.thumbnail?.key === found.thumbnail?.key) throw error
    return answer(ctx, now, sizePx)
  }
}

async function answer(ctx: Ctx, found: FoundThumbnail, sizePx: number): Promise<Answer> {
  const { thumbnail, isProcessing, isFinal } = found
  if (!thumbnail) return { isProcessing }
  const png = await ctx.thumbnails.read(thumbnail, sizePx)
  return { png, etag: etagOf(thumbnail, sizePx), isFinal }
}
