import type { ServiceImpl } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { requireUser } from '@figbase/kit/rpc'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { catalogKinds, kindOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { findAccess } from '../queries/access.js'
import { insertUpdateReservation } from '../queries/content-updates.js'
import { reserveStorage } from '../quota.js'
import { retryIfMoved } from './authorize-parent.js'
import { checkedTexts } from './checked-fields.js'
import { visibleParent } from './visible-parent.js'

type Impl = ServiceImpl<typeof CatalogService>

export function reserveUpdate(ctx: Ctx): Impl['reserveUpdate'] {
  return async (req, call) => {
    const by = requireUser(call)
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const nodeId = uuidOrNotFound(req.id, subject, kind)
    const id = ctx.newId()
    return retryIfMoved(
      async () => {
        const found = await findAccess(ctx.db, nodeId, subject)
        const node = authorize(found, Permission.UPDATE, subject, kind)
        const { type, lineage, workspace_id } = node
        if (catalogKinds.includes(type)) throw invalid('type', 'is updated with UpdateNode')
        if (type === 'story') checkedTexts(ctx, req.texts)
        if (!workspace_id) throw new Error(`node ${nodeId} has no workspace`)
        const parent = req.withParent ? await visibleParent(ctx, node, subject) : {}
        return { lineage, workspaceId: workspace_id, parent }
      },
      async ({ lineage, workspaceId, parent }) => {
        const at = await reserveStorage(ctx, workspaceId, req.growthBytes, (db, reservedBytes) =>
          insertUpdateReservation(db, { id, lineage, by, reservedBytes }),
        )
        return at ? { updateId: id, workspaceId, updatedOn: toTimestamp(at), ...parent } : undefined
      },
    )
  }
}
