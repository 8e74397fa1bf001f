import type { CallOptions } from '@connectrpc/connect'
import type { Ctx } from '../context.js'

/** The most of one call. */
const nodesMax = 1000

/**
 * Those of the nodes that the person may view at this moment, as a member or by a share. A link does not count. Deleted
 * nodes are left out.
 */
export async function listViewed(
  { catalog }: Pick<Ctx, 'catalog'>,
  username: string,
  ids: string[],
  call: CallOptions,
): Promise<Set<string>> {
  const viewed = new Set<string>()
  for (let from = 0; from < ids.length; from += nodesMax) {
    const request = { nodeIds: ids.slice(from, from + nodesMax), usernames: [username] }
    const { nodes } = await catalog.listViewers(request, call)
    for (const { nodeId, usernames } of nodes) if (usernames.length > 0) viewed.add(nodeId)
  }
  return viewed
}
