import { actAsSystem } from '@figbase/kit/rpc'
import type { PlacedNode } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Claimed } from '../queries/deliveries.js'

const callTimeoutMs = 5000

/** Nodes and their workspaces, by id. */
export type Objects = Map<string, PlacedNode>

/** Reads the objects that these deliveries describe, or whose place must be checked, with two calls at most. */
export async function readObjects(
  { catalog }: Pick<Ctx, 'catalog'>,
  claimed: Claimed[],
  signal: AbortSignal,
): Promise<Objects> {
  const objects: Objects = new Map()
  const read = async (ids: (string | undefined)[]) => {
    const missing = [...new Set(ids)].filter((id) => id !== undefined && !objects.has(id))
    if (missing.length === 0) return
    const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
    const { nodes } = await catalog.readPlaces({ ids: missing as string[] }, call)
    for (const placed of nodes) if (placed.node) objects.set(placed.node.id, placed)
  }
  const needed = claimed.filter((one) => isToCheck(one) || isDescribed(one))
  await read(needed.flatMap(({ data }) => [idOf(data), data.workspace, data.parent]))
  // An object may have been moved to another workspace, and a revision has the name of its figure.
  await read(
    needed.flatMap(({ data }) => {
      const placed = objects.get(idOf(data))
      return [placed?.node?.workspaceId || undefined, placed?.node?.parentId || undefined]
    }),
  )
  return objects
}

const idOf = ({ object, workspace }: Claimed['data']) =>
  object.type === 'compute_instance' && workspace ? workspace : object.id

/** Full payloads and messages say its name. */
const isDescribed = ({ format, payload }: Claimed) => format !== 'json' || payload === 'full'

/** Events of nodes are in the place where they happened; the others are where the object is. */
const isToCheck = ({ event }: Claimed) => /^comment\.|\.(processed|stale)$|^compute_/.test(event)

/** Whether the object is still in the place of the webhook. */
export function isInPlace(one: Claimed, objects: Objects): boolean {
  if (!isToCheck(one)) return true
  const placed = objects.get(idOf(one.data))
  const workspaceId = placed?.node?.workspaceId || placed?.node?.id
  if (!placed || !workspaceId || placed.deletedRootId) return false
  if (one.workspace_id) return workspaceId === one.workspace_id
  return objects.get(workspaceId)?.node?.parentId === one.organization_id
}

/** The node itself; undefined if it is unknown, or no longer in the place of the webhook. */
export function describedBy(one: Claimed, objects: Objects): PlacedNode['node'] {
  if (!isDescribed(one)) return undefined
  const placed = objects.get(one.data.object.id)
  const { workspace_id, organization_id } = one
  if (!placed?.node) return undefined
  const { id, workspaceId } = placed.node
  const workspace = workspaceId || id
  const isHere = workspace_id
    ? workspace === workspace_id
    : id === organization_id || objects.get(workspace)?.node?.parentId === organization_id
  return isHere ? placed.node : undefined
}

/** A revision has no name; the one of its figure or asset stands for it. */
export function nameOf(node: NonNullable<PlacedNode['node']>, objects: Objects): string {
  return node.name || objects.get(node.parentId)?.node?.name || ''
}
