import type { Ctx } from '../context.js'
import { writtenGenerations } from '../queries/generations.js'
import { removeLikenesses } from '../queries/likenesses.js'
import { removePlaces } from '../queries/places.js'

/** Removes purged and unknown objects from the index. May be repeated. */
export async function removeObjects(ctx: Ctx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  for (const generation of await writtenGenerations(ctx.db))
    await ctx.engine.remove(generation, ids)
  await removePlaces(ctx.db, ids)
  await removeLikenesses(ctx.db, ids)
}
