import type { ServiceImpl } from '@connectrpc/connect'
import { checkedText, invalid, notFound, principal, requestId } from '@figbase/kit'
import {
  type CatalogService,
  Permission,
  type UpdateNodeRequest,
  WorkspaceType,
} from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { kindOf, nounOf, ownKinds, parentKind } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { versionMismatch } from '../errors.js'
import { insertActivity } from '../queries/activity.js'
import { findAccess, findNode, isLive, lockPath, type NodeAccess } from '../queries/nodes.js'
import { insertDeltas, updateTexts } from '../queries/writes.js'
import { toNode } from '../wire.js'

type Impl = ServiceImpl<typeof CatalogService>

export function updateNode(ctx: Ctx): Impl['updateNode'] {
  return async (req, call) => {
    const { username } = principal(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, username, kind)
    const node = await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, username)
      const before = authorize(found, Permission.UPDATE, username, kind)
      const path = await lockPath(tx, before.lineage.slice(0, -1))
      if (!path) throw notFound(nounOf[before.type])
      const changes = checkedChanges(ctx, req, before)
      const after = await updateTexts(tx, id, username, changes, req.expectedVersion)
      if (!after) throw await whyNot(tx, before)
      const { lineage } = before
      const at = after.updated_on
      await insertDeltas(tx, { lineage, sizeBytes: 0n, children: 0, at, actor: username })
      await insertActivity(tx, {
        id: ctx.newOrderedId(),
        at,
        action: 'update',
        actor: username,
        requestId: requestId(call),
        isSilent: req.silent,
        target: { id, type: before.type, name: after.name },
        path: [...path, { id, type: before.type }],
      })
      return findNode(tx, id, username)
    })
    if (!node) throw notFound('this object')
    return { node: toNode(node) }
  }
}

/** Deleted while this update waited for it, or changed. */
async function whyNot(tx: Tx, { id, type }: NodeAccess) {
  return (await isLive(tx, id)) ? versionMismatch() : notFound(nounOf[type])
}

function checkedChanges({ cfg }: Ctx, req: UpdateNodeRequest, before: NodeAccess) {
  if (!ownKinds.includes(before.type)) throw invalid('type', 'is not changed here')
  const field = parentKind[before.type] ?? 'organization'
  if (req.parentId !== undefined && req.parentId.toLowerCase() !== (before.parent_id ?? '')) {
    throw invalid(field, 'cannot be changed: this server does not move objects yet')
  }
  const type = before.workspace_type === 'primary' ? WorkspaceType.PRIMARY : WorkspaceType.SECONDARY
  if (req.workspaceType !== undefined && req.workspaceType !== type) {
    throw invalid('workspace_type', 'cannot be changed')
  }
  const { name, description } = req
  return {
    ...(name !== undefined && {
      name: checkedText('name', name, { charsMin: 1, charsMax: cfg.nameCharsMax }),
    }),
    ...(description !== undefined && {
      description: checkedText('description', description, { charsMax: cfg.descriptionCharsMax }),
    }),
  }
}
