import type { ServiceImpl } from '@connectrpc/connect'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { countDescendants } from '../queries/counts.js'
import { countActive } from '../queries/recent.js'

type Impl = ServiceImpl<typeof CatalogService>

const weekMs = 7 * 24 * 3_600_000

export function getOverview(ctx: Ctx): Impl['getOverview'] {
  return async ({ workspaceId }, call) => {
    const subject = subjectOf(call)
    const id = uuidOrNotFound(workspaceId, subject, 'workspace')
    authorize(await findAccess(ctx.db, id, subject), Permission.VIEW, subject, 'workspace')
    const since = new Date(Date.now() - weekMs).toISOString()
    const [counts, activeThisWeek] = await Promise.all([
      countDescendants(ctx.db, id),
      countActive(ctx.db, id, since, ctx.cfg.activityCountMax),
    ])
    return { ...counts, activeThisWeek }
  }
}
