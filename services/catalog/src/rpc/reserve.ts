import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireUser, toTimestamp } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { kindOf } from '../domain/types.js'
import { reserveNode } from '../queries/creation.js'
import { belowParent, openParent } from './open-parent.js'

type Impl = ServiceImpl<typeof CatalogService>

const reservable: NodeKind[] = ['figure_revision']

export function reserve(ctx: Ctx): Impl['reserve'] {
  return async (req, call) => {
    const by = requireUser(call)
    const type = kindOf(req.type)
    if (!type || !reservable.includes(type)) throw invalid('type', 'cannot be reserved')
    if (req.id !== undefined && !isUuid(req.id)) throw invalid('client_id', 'must be a UUID')
    const id = req.id?.toLowerCase() ?? ctx.newId()
    return belowParent(
      () => openParent(ctx, type, req.parentId, by),
      async ({ lineage, workspaceId }) => {
        const reservation = { id, type, ancestors: lineage, workspaceId, by }
        const createdOn = await ctx.write((db) => reserveNode(db, reservation))
        return createdOn ? { id, workspaceId, createdOn: toTimestamp(createdOn) } : undefined
      },
    )
  }
}
