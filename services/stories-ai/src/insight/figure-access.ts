import { type CallOptions, Code } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'

/**
 * Members and share recipients may use AI on a revision: COMMENT, because a link alone must not spend the quota of a
 * workspace. 400 naming the field for a revision that does not exist, 403 without the permission.
 */
export async function checkFigureAccess(
  { catalog }: Pick<Ctx, 'catalog'>,
  field: string,
  id: string,
  as: CallOptions,
): Promise<{ workspaceId: string }> {
  if (!isUuid(id)) throw invalid(field, 'must be a UUID')
  const request = { id, permission: Permission.COMMENT, type: NodeType.FIGURE_REVISION }
  return catalog.checkAccess(request, as).catch((error: unknown) => {
    throw hasCode(error, Code.NotFound) ? invalid(field, 'does not exist') : error
  })
}
