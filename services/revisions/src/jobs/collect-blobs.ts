import type { Ctx } from '../context.js'
import { deleteDeadBlobs, listDeadBlobs } from '../queries/blobs.js'

const batch = 500

/** Deletes the bytes of blobs whose last reference is gone, then their rows. */
export async function collectBlobs(ctx: Pick<Ctx, 'db' | 'stores'>): Promise<void> {
  for (;;) {
    const dead = await listDeadBlobs(ctx.db, batch)
    if (dead.length === 0) return
    for (const storage of new Set(dead.map((blob) => blob.storage))) {
      const keys = dead.filter((blob) => blob.storage === storage).map((blob) => blob.key)
      await ctx.stores.of(storage).delete(keys)
    }
    await deleteDeadBlobs(
      ctx.db,
      dead.map((blob) => blob.id),
    )
  }
}
