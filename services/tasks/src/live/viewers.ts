import type { CallOptions } from '@connectrpc/connect'
import type { Ctx } from '../context.js'
import type { LiveEvent } from '../queries/live-events.js'
import type { Follower } from './follower.js'

/** Whether a follower may see an event. */
export type MaySee = (follower: Pick<Follower, 'username' | 'onlyIn'>, event: LiveEvent) => boolean

/** Makes one call to catalog for all events and users. Tasks belong to no workspace. */
export async function viewersOf(
  { catalog }: Pick<Ctx, 'catalog'>,
  events: LiveEvent[],
  usernames: string[],
  call: CallOptions,
): Promise<MaySee> {
  const nodeIds = [...new Set(events.flatMap(nodesOf))]
  const viewers = new Map<string, Set<string>>()
  if (nodeIds.length > 0) {
    const { nodes } = await catalog.listViewers({ nodeIds, usernames }, call)
    for (const node of nodes) viewers.set(node.nodeId, new Set(node.usernames))
  }
  return ({ username, onlyIn }, event) => {
    if (onlyIn !== null && event.workspace_id !== onlyIn) return false
    return event.owner === null
      ? nodesOf(event).every((id) => viewers.get(id)?.has(username))
      : event.owner === username
  }
}

const nodesOf = ({ workspace_id, object_id }: LiveEvent) =>
  [workspace_id, object_id].filter((id) => id !== null)
