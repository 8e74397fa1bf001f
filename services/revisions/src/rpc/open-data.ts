import type { HandlerContext } from '@connectrpc/connect'
import { forward, isUuid, notFound, principal, requireUser } from '@figbase/kit'
import { NodeType, type Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { type DataWithKey, findData } from '../queries/data.js'

/** A data object of a revision on which the caller has a permission. */
export async function openData(
  ctx: Ctx,
  id: string,
  permission: Permission,
  call: HandlerContext,
): Promise<DataWithKey> {
  const data = isUuid(id) ? await findData(ctx.db, id) : undefined
  if (!data) {
    // Whoever did not sign in learns nothing of which ids exist.
    if (!principal(call).isSystem) requireUser(call)
    throw notFound('the data object')
  }
  const request = { id: data.revision_id, permission, type: NodeType.FIGURE_REVISION }
  await ctx.catalog.checkAccess(request, forward(call))
  return data
}
