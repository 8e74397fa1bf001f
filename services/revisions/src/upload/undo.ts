import type { Ctx } from '../context.js'
import { removeThumbnails } from '../images/remove-thumbnails.js'
import { collectBlobs } from '../jobs/collect-blobs.js'
import { releaseBlobs } from '../queries/blobs.js'
import { deleteRevision, lockRevision } from '../queries/revisions.js'

/** Removes a revision that never became visible, with its blobs unless others use them. */
export async function undoRevision(ctx: Ctx, id: string): Promise<void> {
  await ctx.transact(async (tx) => {
    if (!(await lockRevision(tx, id))) return
    await releaseBlobs(tx, id)
    await deleteRevision(tx, id)
  })
  await removeThumbnails(ctx.objects, id)
  await collectBlobs(ctx)
}
