import type { HandlerContext } from '@connectrpc/connect'
import { pageSize } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { forward } from '@figbase/kit/rpc'
import { parsePeriod } from '@figbase/kit/text'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { GetUsageRequest } from '@figbase/proto/compute'
import { requireInstance, requireMember } from '../access.js'
import type { Ctx } from '../context.js'
import { lowestId } from '../queries/reconciling.js'
import { type InstanceUsage, sumByInstance, sumByTier, type UsageOf } from '../queries/runs.js'
import { sumVolumes } from '../queries/volumes.js'
import type { Impl } from '../routes.js'

export function getUsage(ctx: Ctx): Impl['getUsage'] {
  return async (req, call) => {
    const period = parsePeriod(req.period)
    const after = decodeToken(req.pageToken)
    const limit = pageSize(req.pageSize)
    const of = await authorizeUsage(ctx, req.of, call)
    const [tiers, rows, dataVolumeGb] = await Promise.all([
      sumByTier(ctx.db, of, period),
      sumByInstance(ctx.db, of, period, { ...after, limit: limit + 1 }),
      sumVolumes(ctx.db, of),
    ])
    const instances = rows.slice(0, limit)
    const last = rows.length > limit ? instances.at(-1) : undefined
    return {
      period: period.name,
      billableSeconds: seconds(tiers.reduce((sum, { used_ms }) => sum + used_ms, 0n)),
      tiers: tiers.map(({ tier, used_ms }) => ({ tier, billableSeconds: seconds(used_ms) })),
      instances: instances.map(toUsage),
      dataVolumeGb,
      nextPageToken: last ? `${last.instance_id} ${last.tier}` : '',
    }
  }
}

const seconds = (ms: bigint) => ms / 1000n

const toUsage = (row: InstanceUsage) => ({
  instanceId: row.instance_id,
  name: row.name,
  owner: row.owner,
  workspaceId: row.workspace_id,
  tier: row.tier,
  billableSeconds: seconds(row.used_ms),
})

function decodeToken(token: string) {
  if (!token) return { afterId: lowestId, afterTier: '' }
  const [afterId = '', afterTier = ''] = token.split(' ', 2)
  if (!isUuid(afterId)) throw invalid('page_token', 'is not a page token of this list')
  return { afterId, afterTier }
}

/** Whose usage the caller asks for, if they may see it. */
export async function authorizeUsage(
  ctx: Ctx,
  of: GetUsageRequest['of'],
  call: HandlerContext,
): Promise<UsageOf> {
  if (of.case === 'instanceId') {
    const { instance } = await requireInstance(ctx, of.value, call)
    return { column: 'instance_id', id: instance.id }
  }
  if (of.case === 'workspaceId') {
    const { workspaceId } = await requireMember(ctx, of.value, call)
    return { column: 'workspace_id', id: workspaceId }
  }
  const id = of.value ?? ''
  const request = { id, type: NodeType.ORGANIZATION, permission: Permission.MANAGE }
  await ctx.catalog.checkAccess(request, forward(call))
  return { column: 'holder_id', id: id.toLowerCase() }
}
