import type { Ctx } from '../context.js'
import { deleteDeadBlobs, listDeadBlobs } from '../queries/blobs.js'

const batch = 500

/** Deletes the bytes of blobs whose last reference is gone, then their rows. */
export async function collectBlobs(ctx: Pick<Ctx, 'db' | 'objects'>): Promise<void> {
  for (;;) {
    const dead = await listDeadBlobs(ctx.db, batch)
    if (dead.length === 0) return
    await ctx.objects.delete(dead.map((blob) => blob.key))
    await deleteDeadBlobs(
      ctx.db,
      dead.map((blob) => blob.id),
    )
  }
}
