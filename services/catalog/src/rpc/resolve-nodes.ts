import type { ServiceImpl } from '@connectrpc/connect'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { EffectiveRole } from '../db/schema.js'
import { allows } from '../domain/permissions.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { listByIds } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { authorizeAnalysis } from './authorize-scope.js'

type Impl = ServiceImpl<typeof CatalogService>

const idsMax = 1000
const isNoLink = (role: EffectiveRole) => role !== 'link_viewer'

export function resolveNodes(ctx: Ctx): Impl['resolveNodes'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    if (req.ids.length > idsMax) throw invalid('ids', `must have at most ${idsMax} items`)
    if (!req.ids.every(isUuid)) throw invalid('ids', 'must be UUIDs')
    const ids = [...new Set(req.ids.map((id) => id.toLowerCase()))]
    const analysisId =
      req.scopeId === '' ? null : await authorizeAnalysis(ctx, req.scopeId, subject)
    const live = await listByIds(ctx.db, ids, kind, subject, analysisId)
    const permission = req.permission || Permission.VIEW
    const isAllowed = ({ roles, type }: (typeof live)[number]) =>
      allows(req.withoutLinks ? roles.filter(isNoLink) : roles, permission, type)
    return {
      nodes: live.filter(isAllowed).map(toNode),
      hiddenIds: live.filter((node) => !isAllowed(node)).map((node) => node.id),
    }
  }
}
