import type { Ctx } from '../context.js'
import { collectBlobs } from '../jobs/collect-blobs.js'
import { releaseBlobs } from '../queries/blobs.js'
import { deleteRevision, lockRevision } from '../queries/revisions.js'
import { findThumbnailKey } from '../queries/thumbnails.js'

/** Removes a revision that never became visible, with its blobs unless others use them. */
export async function undoRevision(ctx: Ctx, id: string): Promise<void> {
  const thumbnailKey = await ctx.transact(async (tx) => {
    if (!(await lockRevision(tx, id))) return undefined
    const key = await findThumbnailKey(tx, id)
    await releaseBlobs(tx, id)
    await deleteRevision(tx, id)
    return key
  })
  if (thumbnailKey) await ctx.objects.delete([thumbnailKey])
  await collectBlobs(ctx)
}
