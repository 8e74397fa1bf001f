import { actAsSystem } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import { placeOf } from '../domain/place.js'
import { writtenGenerations } from '../queries/generations.js'
import { beforeAllPlaces, listBelow, upsertPlaces } from '../queries/places.js'

const pageMax = 1000

/** Reads the places of everything at or below an object that was moved, deleted or restored. May be repeated. */
export async function moveSubtree(ctx: Ctx, rootId: string, signal: AbortSignal): Promise<void> {
  const asSystem = { ...actAsSystem(), signal }
  for (let after: string | undefined = beforeAllPlaces; after; ) {
    signal.throwIfAborted()
    const page: Awaited<ReturnType<typeof listBelow>> = await listBelow(
      ctx.db,
      rootId,
      after,
      pageMax,
    )
    const { ids, listedOn } = page
    if (ids.length === 0) return
    const { nodes } = await ctx.catalog.readPlaces({ ids }, asSystem)
    const places = nodes.flatMap((node) => placeOf(node) ?? [])
    const written = await upsertPlaces(ctx.db, places, listedOn)
    const current = places.filter(({ id }) => written.has(id))
    for (const generation of await writtenGenerations(ctx.db))
      await ctx.engine.place(generation, current)
    after = ids.length === pageMax ? ids.at(-1) : undefined
  }
}
