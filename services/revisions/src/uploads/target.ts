import { Code, type HandlerContext } from '@connectrpc/connect'
import { forward, hasCode, invalid, isUuid } from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listLeaves } from '../queries/data.js'

/** What an upload is for. */
export type Target = { id: string; type: NodeType }

/** What bodies call them. */
const fields: Partial<Record<NodeType, string>> = {
  [NodeType.FIGURE]: 'figure',
  [NodeType.ASSET]: 'asset',
  [NodeType.ANALYSIS]: 'analysis',
  [NodeType.FIGURE_REVISION]: 'revision',
  [NodeType.ASSET_REVISION]: 'asset_revision',
}

const isRevision = (type: NodeType) =>
  type === NodeType.FIGURE_REVISION || type === NodeType.ASSET_REVISION

export type Place = {
  workspaceId: string
  /** Bytes that may be stored there, as in a creation or an update; undefined: the plan does not limit them. */
  bytesLeft: bigint | undefined
}

/** Refuses who may not store anything there. */
export async function checkTarget(
  ctx: Ctx,
  { id, type }: Target,
  call: HandlerContext,
): Promise<Place> {
  const field = fields[type]
  if (!field) throw invalid('target_type', 'is nothing that data is stored for')
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

/** An update may replace all that is there. */
async function replaceable(ctx: Ctx, { id, type }: Target) {
  if (!isRevision(type)) return 0n
  const leaves = await listLeaves(ctx.db, id)
  return leaves.reduce((sum, leaf) => sum + leaf.size_bytes, 0n)
}
