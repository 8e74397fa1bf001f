import { toIso } from '@figbase/kit/db'
import type { PlacedNode } from '@figbase/proto/catalog'
import type { NewPlace } from '../queries/places.js'
import { foundTypeOf } from './found-types.js'

/** Undefined for types that are not found. The lineage begins with the workspace. */
export function placeOf({ node, lineage, deletedRootId }: PlacedNode): NewPlace | undefined {
  const type = node && foundTypeOf(node.type)
  const [workspaceId, second, third] = lineage
  if (!node?.createdOn || !type || !workspaceId) return undefined
  const isOfAnalysis = type === 'analysis' || type === 'figure' || type === 'figure_revision'
  return {
    id: node.id,
    type,
    workspaceId,
    analysisId: isOfAnalysis ? (second ?? null) : null,
    itemId: (isOfAnalysis ? third : second) ?? null,
    hiddenBy: deletedRootId || null,
    createdOn: toIso(node.createdOn),
  }
}
