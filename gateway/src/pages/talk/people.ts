import { Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { NodeType } from '@figbase/proto/catalog'
import { type Input, ok, type Route } from '../../endpoint.js'
import { getNode } from '../../nodes/lists.js'
import { collect } from '../../routes/pagination.js'
import { idIn } from '../ids.js'
import type { Kind } from '../kinds.js'

/**
 * The usernames that the script offers for mentions: those that the reader may list of the members of the workspace, of
 * the users with whom the object is shared, and of those who commented on it.
 */
export const peopleOf = (kind: Kind): Route => ({
  method: 'GET',
  path: `/${kind.segment}/:id/comment/people/`,
  since: 'v1',
  auth: 'required',
  acceptsSession: true,
  async handle(input) {
    const target = { id: idIn(input), type: kind.type }
    const { workspaceId } = await getNode(input, target.id, target.type)
    const lists = await Promise.all([
      ifAllowed(membersOf(input, workspaceId)),
      ifAllowed(sharesOf(input, target)),
      authorsOn(input, target),
    ])
    const usernames = [...new Set(lists.flat())].sort()
    return ok({ usernames }, { 'cache-control': 'private, no-store' })
  },
})

type Target = { id: string; type: NodeType }

async function membersOf({ services, call }: Input, id: string) {
  const request = { id, type: NodeType.WORKSPACE }
  const { members } = await services.catalog.listMembers(request, call)
  return members.map(({ username }) => username)
}

const sharesOf = async ({ services, call }: Input, target: Target) =>
  (await services.catalog.listUserShares(target, call)).usernames

async function authorsOn({ services, call, cfg }: Input, { id, type }: Target) {
  const request = { targetId: id, targetType: type, limit: cfg.pageItemsMax }
  const parts = await collect(services.comments.listComments(request, call))
  return parts.flatMap(({ comments }) => comments).map(({ author }) => author)
}

/** An empty list if the reader may not see it. */
const ifAllowed = (list: Promise<string[]>): Promise<string[]> =>
  list.catch((error: unknown) => {
    if (hasCode(error, Code.PermissionDenied)) return []
    throw error
  })
