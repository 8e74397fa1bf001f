import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listByIds } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { openAnalysis } from './open-scope.js'

type Impl = ServiceImpl<typeof CatalogService>

const idsMax = 1000

export function resolveNodes(ctx: Ctx): Impl['resolveNodes'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    if (req.ids.length > idsMax) throw invalid('ids', `has more than ${idsMax}`)
    if (!req.ids.every(isUuid)) throw invalid('ids', 'one is not a UUID')
    const ids = [...new Set(req.ids.map((id) => id.toLowerCase()))]
    const analysisId = req.scopeId === '' ? null : await openAnalysis(ctx, req.scopeId, subject)
    const live = await listByIds(ctx.db, ids, kind, subject, analysisId)
    const canView = (node: (typeof live)[number]) => allows(node.roles, Permission.VIEW, node.type)
    return {
      nodes: live.filter(canView).map(toNode),
      hiddenIds: live.filter((node) => !canView(node)).map((node) => node.id),
    }
  }
}
