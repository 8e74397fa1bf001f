import type { HandlerContext } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { actAsSystem } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

const field = 'digest_workspaces'
const callTimeoutMs = 10_000

/** Without duplicates. */
export function checkedWorkspaces(
  { cfg: { digestWorkspacesMax: max } }: Pick<Ctx, 'cfg'>,
  ids: string[],
): string[] {
  if (ids.length > max) throw invalid(field, `must have at most ${max} items`)
  if (!ids.every(isUuid)) throw invalid(field, 'must be UUIDs')
  return [...new Set(ids.map((id) => id.toLowerCase()))]
}

/** The same error for objects that are no workspaces, and workspaces that do not exist or that the user may not view. */
export async function requireViewable(
  { catalog }: Pick<Ctx, 'catalog'>,
  username: string,
  ids: string[],
  { signal }: HandlerContext,
): Promise<void> {
  if (ids.length === 0) return
  const call = { ...actAsSystem(), signal, timeoutMs: callTimeoutMs }
  const [{ nodes: viewed }, { nodes: placed }] = await Promise.all([
    catalog.listViewers({ nodeIds: ids, usernames: [username] }, call),
    catalog.readPlaces({ ids }, call),
  ])
  const viewable = new Set(viewed.flatMap((one) => (one.usernames.length > 0 ? one.nodeId : [])))
  const workspaces = new Set(
    placed.flatMap(({ node }) => (node?.type === NodeType.WORKSPACE ? node.id : [])),
  )
  if (!ids.every((id) => viewable.has(id) && workspaces.has(id)))
    throw invalid(field, 'must be workspaces that you may view as a member')
}
