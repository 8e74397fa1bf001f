import { parsePeriod } from '@figbase/kit/text'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { listOrganizationUsage, listWorkspaceUsage } from '../queries/ai-usage.js'
import type { UsageImpl } from '../routes.js'
import { requireUsageAccess } from '../usage/access.js'
import { readQuota } from '../usage/quota.js'
import { readPage } from '../usage/read-page.js'

export function listContainerUsage(ctx: Ctx): UsageImpl['listContainerUsage'] {
  return async (request, call) => {
    const { id, type } = request
    const period = parsePeriod(request.period).name
    await requireUsageAccess(ctx, { id, type }, call)
    const list = type === NodeType.WORKSPACE ? listWorkspaceUsage : listOrganizationUsage
    const page = await readPage(request, (at) => list(ctx.db, id, period, at))
    const quota = request.pageToken ? undefined : await readQuota(ctx, id, call)
    return { period, ...page, ...(quota && { quota }) }
  }
}
