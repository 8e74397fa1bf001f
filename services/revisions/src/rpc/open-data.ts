import type { HandlerContext } from '@connectrpc/connect'
import { forward, isUuid, notFound, principal, requireUser } from '@figbase/kit'
import type { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { nodeTypeOf } from '../domain/revision-kind.js'
import { type DataOfRevision, findData } from '../queries/data.js'

/** A data object of a revision on which the caller has a permission. */
export async function openData(
  ctx: Ctx,
  id: string,
  permission: Permission,
  call: HandlerContext,
): Promise<DataOfRevision> {
  const data = isUuid(id) ? await findData(ctx.db, id) : undefined
  if (!data) {
    // Whoever did not sign in learns nothing of which ids exist.
    if (!principal(call).isSystem) requireUser(call)
    throw notFound('the data object')
  }
  const request = { id: data.revision_id, permission, type: nodeTypeOf(data.revision_type) }
  await ctx.catalog.checkAccess(request, forward(call))
  return data
}
