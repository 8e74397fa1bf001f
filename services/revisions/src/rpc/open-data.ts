import type { HandlerContext } from '@connectrpc/connect'
import { notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward, principal, requireUser } from '@figbase/kit/rpc'
import type { Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { nodeTypeOf } from '../domain/revision-kind.js'
import { type DataOfRevision, findData } from '../queries/data.js'

/** A data object of a revision, if the caller has the permission. */
export async function openData(
  ctx: Ctx,
  id: string,
  permission: Permission,
  call: HandlerContext,
): Promise<DataOfRevision> {
  const data = isUuid(id) ? await findData(ctx.db, id) : undefined
  if (!data) {
    // Anonymous callers must not learn which ids exist.
    if (!principal(call).isSystem) requireUser(call)
    throw notFound('the data object')
  }
  const request = { id: data.revision_id, permission, type: nodeTypeOf(data.revision_type) }
  await ctx.catalog.checkAccess(request, forward(call))
  return data
}
