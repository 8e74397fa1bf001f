import type { HandlerContext } from '@connectrpc/connect'
import { invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { actAsSystem, forward, principal } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

type Container = { id: string; type: NodeType }

const nouns = new Map([
  [NodeType.WORKSPACE, 'this workspace'],
  [NodeType.ORGANIZATION, 'this organization'],
])

/** Throws unless the caller manages the workspace or organization, or is staff and it exists, deleted or not. */
export async function requireUsageAccess(
  { catalog }: Pick<Ctx, 'catalog'>,
  { id, type }: Container,
  call: HandlerContext,
): Promise<void> {
  const noun = nouns.get(type)
  if (!noun) throw invalid('type', 'must be a workspace or an organization')
  if (!principal(call).isStaff) {
    await catalog.checkAccess({ id, type, permission: Permission.MANAGE }, forward(call))
    return
  }
  if (!isUuid(id)) throw notFound(noun)
  const { nodes } = await catalog.readPlaces(
    { ids: [id] },
    { ...actAsSystem(), signal: call.signal },
  )
  if (nodes[0]?.node?.type !== type) throw notFound(noun)
}
