import type { Ctx } from '../context.js'
import { collectBlobs } from '../jobs/collect-blobs.js'
import { releaseBlobs } from '../queries/blobs.js'
import { deleteRevision, lockRevision } from '../queries/revisions.js'
import { findThumbnail } from '../queries/thumbnails.js'

/** Removes a revision that never became visible, with its blobs unless others use them. */
export async function undoRevision(ctx: Ctx, id: string): Promise<void> {
  const thumbnail = await ctx.transact(async (tx) => {
    if (!(await lockRevision(tx, id))) return undefined
    const thumbnail = await findThumbnail(tx, id)
    await releaseBlobs(tx, id)
    await deleteRevision(tx, id)
    return thumbnail
  })
  if (thumbnail) await ctx.objects.delete([thumbnail.key])
  await collectBlobs(ctx)
}
