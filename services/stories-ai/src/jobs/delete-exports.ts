import type { Deletions } from '@figbase/kit/objects'
import type { Ctx } from '../context.js'
import { exportKey } from '../exports/object-key.js'
import { deleteExports } from '../queries/exports.js'

const batch = 100

/** Deletes the listed exports: the objects before their rows, so that an interrupted run leaves a row to find them by. */
export async function deleteListed(
  ctx: Ctx,
  deletions: Deletions,
  list: (limit: number) => Promise<string[]>,
): Promise<void> {
  for (let found = batch; found === batch; ) {
    found = await deletions.run(async () => {
      const ids = await list(batch)
      if (ids.length === 0) return 0
      await ctx.objects.delete(ids.map(exportKey))
      await ctx.write((db) => deleteExports(db, ids))
      return ids.length
    })
  }
}
