import { Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode, invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward } from '@figbase/kit/rpc'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listDataSizes } from '../queries/data.js'

/** What an upload is for: the parent or the revision. */
export type Target = { id: string; type: NodeType }

/** Field names in requests. */
const fields: Partial<Record<NodeType, string>> = {
  [NodeType.FIGURE]: 'figure',
  [NodeType.ASSET]: 'asset',
  [NodeType.ANALYSIS]: 'analysis',
  [NodeType.FIGURE_REVISION]: 'revision',
  [NodeType.ASSET_REVISION]: 'asset_revision',
}

const isRevision = (type: NodeType) =>
  type === NodeType.FIGURE_REVISION || type === NodeType.ASSET_REVISION

export type TargetAccess = {
  workspaceId: string
  /** Bytes that may be stored there by a creation or an update. Undefined if there is no limit. */
  bytesLeft: bigint | undefined
}

/** Throws if the caller may not store anything there. */
export async function checkTarget(
  ctx: Ctx,
  { id, type }: Target,
  call: HandlerContext,
): Promise<TargetAccess> {
  const field = fields[type]
  if (!field) throw invalid('target_type', 'must be a figure, an asset, an analysis or a revision')
  if (!isUuid(id)) throw invalid(field, 'must be a UUID')
  const permission = isRevision(type) ? Permission.UPDATE : Permission.CREATE
  try {
    const request = { id, type, permission }
    const { workspaceId, storageBytesLeft } = await ctx.catalog.checkAccess(request, forward(call))
    if (storageBytesLeft === undefined) return { workspaceId, bytesLeft: undefined }
    return { workspaceId, bytesLeft: storageBytesLeft + (await replaceable(ctx, { id, type })) }
  } catch (error) {
    throw hasCode(error, Code.NotFound) ? invalid(field, 'does not exist') : error
  }
}

/** An update may replace all stored data. */
async function replaceable(ctx: Ctx, { id, type }: Target) {
  if (!isRevision(type)) return 0n
  const sizes = await listDataSizes(ctx.db, id)
  return sizes.reduce((sum, one) => sum + one.size_bytes, 0n)
}
