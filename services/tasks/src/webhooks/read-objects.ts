import { actAsSystem } from '@figbase/kit/rpc'
import type { PlacedNode } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { Claimed } from '../queries/deliveries.js'

const callTimeoutMs = 5000

export type Objects = {
  /** Nodes and their workspaces, by id. */
  nodes: Map<string, PlacedNode>
  /** The contents of comments that are not deleted, by id. */
  contents: Map<string, string>
}

/** Reads the objects that these deliveries describe, or whose place must be checked, with three calls at most. */
export async function readObjects(
  { catalog, comments }: Pick<Ctx, 'catalog' | 'comments'>,
  claimed: Claimed[],
  signal: AbortSignal,
): Promise<Objects> {
  const nodes: Objects['nodes'] = new Map()
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const read = async (ids: (string | undefined)[]) => {
    const missing = [...new Set(ids)].filter((id) => id !== undefined && !nodes.has(id))
    if (missing.length === 0) return
    const { nodes: found } = await catalog.readPlaces({ ids: missing as string[] }, call)
    for (const placed of found) if (placed.node) nodes.set(placed.node.id, placed)
  }
  const needed = claimed.filter((one) => isToCheck(one) || isDescribed(one))
  await read(needed.flatMap(({ data }) => [idOf(data), data.workspace, data.parent]))
  // An object may have been moved to another workspace, and a revision has the name of its figure.
  await read(
    needed.flatMap(({ data }) => {
      const placed = nodes.get(idOf(data))
      return [placed?.node?.workspaceId || undefined, placed?.node?.parentId || undefined]
    }),
  )
  const contents: Objects['contents'] = new Map()
  const ids = [
    ...new Set(claimed.flatMap((one) => (hasContent(one) ? (one.data.comment ?? []) : []))),
  ]
  if (ids.length > 0) {
    for await (const { comment } of comments.readComments({ ids }, call))
      if (comment) contents.set(comment.id, comment.content)
  }
  return { nodes, contents }
}

const hasContent = ({ format, payload, event }: Claimed) =>
  format === 'json' && payload === 'full' && event.startsWith('comment.')

const idOf = ({ object, workspace }: Claimed['data']) =>
  object.type === 'compute_instance' && workspace ? workspace : object.id

/** Full payloads and messages say its name. */
const isDescribed = ({ format, payload }: Claimed) => format !== 'json' || payload === 'full'

/** Events of nodes are in the place where they happened; the others are where the object is. */
const isToCheck = ({ event }: Claimed) => /^comment\.|\.(processed|stale)$|^compute_/.test(event)

/** Whether the object is still in the place of the webhook. */
export function isInPlace(one: Claimed, { nodes }: Objects): boolean {
  if (!isToCheck(one)) return true
  const placed = nodes.get(idOf(one.data))
  const workspaceId = placed?.node?.workspaceId || placed?.node?.id
  if (!placed || !workspaceId || placed.deletedRootId) return false
  if (one.workspace_id) return workspaceId === one.workspace_id
  return nodes.get(workspaceId)?.node?.parentId === one.organization_id
}

/** The node itself; undefined if it is unknown, or no longer in the place of the webhook. */
export function describedBy(one: Claimed, { nodes }: Objects): PlacedNode['node'] {
  if (!isDescribed(one)) return undefined
  const placed = nodes.get(one.data.object.id)
  const { workspace_id, organization_id } = one
  if (!placed?.node) return undefined
  const { id, workspaceId } = placed.node
  const workspace = workspaceId || id
  const isHere = workspace_id
    ? workspace === workspace_id
    : id === organization_id || nodes.get(workspace)?.node?.parentId === organization_id
  return isHere ? placed.node : undefined
}

/** A revision has no name; the one of its figure or asset stands for it. */
export function nameOf(node: NonNullable<PlacedNode['node']>, { nodes }: Objects): string {
  return node.name || nodes.get(node.parentId)?.node?.name || ''
}

/** The text of the comment; undefined if it is deleted, or its object is no longer in the place of the webhook. */
export const contentOf = (one: Claimed, objects: Objects): string | undefined =>
  describedBy(one, objects) && objects.contents.get(one.data.comment ?? '')
