import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { actAsSystem, forward, onlyWorkspace, requireUser } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

/**
 * The workspace that pays for a request about no object: the named one, that of the API key, or the caller's primary
 * one. COMMENT on it, because a link alone must not spend the quota of a workspace.
 */
export async function payingWorkspace(
  { catalog }: Pick<Ctx, 'catalog'>,
  named: string,
  call: HandlerContext,
): Promise<string> {
  const id = named || onlyWorkspace(call)
  if (!id) {
    const request = { username: requireUser(call) }
    const { signal } = call
    return (await catalog.ensurePrimaryWorkspace(request, { ...actAsSystem(), signal })).workspaceId
  }
  if (!isUuid(id)) throw invalid('workspace', 'must be a UUID')
  const request = { id, permission: Permission.COMMENT, type: NodeType.WORKSPACE }
  await catalog.checkAccess(request, forward(call)).catch((error: unknown) => {
    throw hasCode(error, Code.NotFound) ? invalid('workspace', 'does not exist') : error
  })
  return id.toLowerCase()
}
