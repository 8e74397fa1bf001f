import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import type { Ctx } from '../context.js'
import type { Filter, FoundType } from '../engine/port.js'

/** Where and what to find; empty ids and lists: everywhere, everything. */
export type Selection = {
  workspaceId: string
  analysisId: string
  types: FoundType[]
  /** Tokens. */
  metadata: string[]
}

/** What the caller may find of a selection; undefined: nothing. */
export async function readFilter(
  { catalog }: Pick<Ctx, 'catalog'>,
  { workspaceId, analysisId, types, metadata }: Selection,
  call: HandlerContext,
): Promise<Filter | undefined> {
  const found = await catalog.listReadableRoots({ workspaceId }, forward(call))
  const { rootIds, recentlyPlacedIds } = found
  if (rootIds.length + recentlyPlacedIds.length === 0) return undefined
  // Catalog confirms each hit, so what is in an analysis needs no other root.
  const places = analysisId
    ? { roots: [analysisId], recent: [] }
    : { roots: rootIds, recent: recentlyPlacedIds }
  return { ...places, ...(types.length > 0 && { types }), metadata }
}
