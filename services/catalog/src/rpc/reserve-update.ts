import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, requireUser, toTimestamp } from '@figbase/kit'
import { type CatalogService, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf, ownKinds } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { insertHold } from '../queries/content-updates.js'
import { findAccess } from '../queries/nodes.js'
import { withinStorage } from '../quota.js'
import { atPlace } from './open-parent.js'
import { parentFor } from './parent-for.js'

type Impl = ServiceImpl<typeof CatalogService>

export function reserveUpdate(ctx: Ctx): Impl['reserveUpdate'] {
  return async (req, call) => {
    const by = requireUser(call)
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const nodeId = uuidOrNotFound(req.id, subject, kind)
    const id = ctx.newId()
    return atPlace(
      async () => {
        const found = await findAccess(ctx.db, nodeId, subject)
        const node = authorize(found, Permission.UPDATE, subject, kind)
        const { type, lineage, workspace_id } = node
        if (ownKinds.includes(type)) throw invalid('type', 'is changed by UpdateNode')
        if (!workspace_id) throw new Error(`${nodeId} is in no workspace`)
        const shown = req.withParent ? await parentFor(ctx, node, subject) : {}
        return { lineage, workspaceId: workspace_id, shown }
      },
      async ({ lineage, workspaceId, shown }) => {
        const at = await withinStorage(ctx, workspaceId, req.growthBytes, (db, heldBytes) =>
          insertHold(db, { id, lineage, by, heldBytes }),
        )
        return at ? { updateId: id, workspaceId, updatedOn: toTimestamp(at), ...shown } : undefined
      },
    )
  }
}
