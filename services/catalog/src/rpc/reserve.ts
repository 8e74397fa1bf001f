import type { ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, requireUser, toTimestamp } from '@figbase/kit'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { reserveNode } from '../queries/creation.js'
import { withinStorage } from '../quota.js'
import { toParent } from '../wire.js'
import { checkedOnBehalf } from './checked-members.js'
import { atPlace, openParent } from './open-parent.js'

type Impl = ServiceImpl<typeof CatalogService>

const reservable: NodeKind[] = ['figure_revision', 'asset_revision']

export function reserve(ctx: Ctx): Impl['reserve'] {
  return async (req, call) => {
    const by = requireUser(call)
    const type = kindOf(req.type)
    if (!type || !reservable.includes(type)) throw invalid('type', 'cannot be reserved')
    if (req.id !== undefined && !isUuid(req.id)) throw invalid('client_id', 'must be a UUID')
    if (req.sizeBytes < 0n) throw invalid('size_bytes', 'must not be negative')
    const id = req.id?.toLowerCase() ?? ctx.newId()
    const onBehalf = checkedOnBehalf(ctx, req.onBehalf)
    return atPlace(
      () => openParent(ctx, type, req.parentId, subjectOf(call)),
      async ({ lineage, workspaceId, parent }) => {
        const reservation = { id, type, ancestors: lineage, workspaceId, by, onBehalf }
        const createdOn = await withinStorage(ctx, workspaceId, req.sizeBytes, (db, heldBytes) =>
          reserveNode(db, { ...reservation, heldBytes }),
        )
        if (!createdOn) return undefined
        return { id, workspaceId, createdOn: toTimestamp(createdOn), parent: toParent(parent) }
      },
    )
  }
}
