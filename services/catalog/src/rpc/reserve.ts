import type { ServiceImpl } from '@connectrpc/connect'
import { toTimestamp } from '@figbase/kit/db'
import { invalid } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { requireUser } from '@figbase/kit/rpc'
import type { CatalogService } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { subjectOf } from '../domain/subject.js'
import { kindOf } from '../domain/types.js'
import { reserveNode } from '../queries/creation.js'
import { reserveStorage } from '../quota.js'
import { toParent } from '../wire.js'
import { authorizeParent, retryIfMoved } from './authorize-parent.js'
import { checkedOnBehalf, checkedTexts } from './checked-fields.js'

type Impl = ServiceImpl<typeof CatalogService>

const reservable: NodeKind[] = ['figure_revision', 'asset_revision', 'story']

export function reserve(ctx: Ctx): Impl['reserve'] {
  return async (req, call) => {
    const by = requireUser(call)
    const type = kindOf(req.type)
    if (!type || !reservable.includes(type)) throw invalid('type', 'cannot be reserved')
    if (req.id !== undefined && !isUuid(req.id)) throw invalid('client_id', 'must be a UUID')
    if (req.sizeBytes < 0n) throw invalid('size_bytes', 'must not be negative')
    const id = req.id?.toLowerCase() ?? ctx.newId()
    const onBehalf = checkedOnBehalf(ctx, req.onBehalf)
    const texts =
      type === 'story' ? checkedTexts(ctx, req.texts) : { name: null, description: null }
    return retryIfMoved(
      () => authorizeParent(ctx, type, req.parentId, subjectOf(call)),
      async ({ lineage, workspaceId, parent }) => {
        const reservation = { id, type, ancestors: lineage, workspaceId, by, onBehalf, ...texts }
        const createdOn = await reserveStorage(
          ctx,
          workspaceId,
          req.sizeBytes,
          (db, reservedBytes) => reserveNode(db, { ...reservation, reservedBytes }),
        )
        if (!createdOn) return undefined
        return { id, workspaceId, createdOn: toTimestamp(createdOn), parent: toParent(parent) }
      },
    )
  }
}
