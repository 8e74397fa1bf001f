import type { HandlerContext } from '@connectrpc/connect'
import { forward } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from './context.js'

/** Throws if the caller may not update the story. */
export async function requireUpdate(
  { catalog }: Pick<Ctx, 'catalog'>,
  id: string,
  call: HandlerContext,
): Promise<void> {
  const request = { id, permission: Permission.UPDATE, type: NodeType.STORY }
  await catalog.checkAccess(request, forward(call))
}
