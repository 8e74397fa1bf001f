import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireUser, toTimestamp } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { kindOf } from '../domain/types.js'
import { insertNode } from '../queries/writes.js'
import { openParent } from './open-parent.js'

type Impl = ServiceImpl<typeof CatalogService>

const reservable: NodeKind[] = ['figure_revision']

export function reserve(ctx: Ctx): Impl['reserve'] {
  return async (req, call) => {
    const subject = requireUser(call)
    const kind = kindOf(req.type)
    if (!kind || !reservable.includes(kind)) throw invalid('type', 'cannot be reserved')
    if (req.id !== undefined && !isUuid(req.id)) throw invalid('client_id', 'must be a UUID')
    const id = req.id?.toLowerCase() ?? ctx.newId()
    return ctx.transact(async (tx) => {
      const parent = await openParent(ctx, tx, kind, req.parentId, subject)
      const { created_on } = await insertNode(tx, {
        id,
        type: kind,
        parent_id: parent.id,
        lineage: [...parent.lineage, id],
        workspace_id: parent.workspace_id,
        state: 'pending',
        created_by: subject,
      })
      return { id, workspaceId: parent.workspace_id ?? '', createdOn: toTimestamp(created_on) }
    })
  }
}
