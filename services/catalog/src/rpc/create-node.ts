import type { ServiceImpl } from '@connectrpc/connect'
import { checkedText, invalid, requestId, requireUser } from '@figbase/kit'
import type { CatalogService, CreateNodeRequest } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind } from '../db/schema.js'
import { kindOf, ownKinds } from '../domain/types.js'
import { parentMissing } from '../errors.js'
import { createNode as create } from '../queries/creation.js'
import { toNode } from '../wire.js'
import { belowParent, openParent } from './open-parent.js'
import { openScope } from './open-scope.js'

type Impl = ServiceImpl<typeof CatalogService>

export function createNode(ctx: Ctx): Impl['createNode'] {
  return async (req, call) => {
    const by = requireUser(call)
    const type = kindOf(req.type)
    if (!type || !ownKinds.includes(type)) throw invalid('type', 'is not created here')
    const id = ctx.newId()
    const node = await belowParent(
      () => placeOf(ctx, type, req.parentId, by, id),
      async ({ lineage, workspaceId }) => {
        const creation = {
          ...checkedTexts(ctx, req),
          scopeId: await openScope(ctx, type, req.scopeId, workspaceId, by),
          ancestors: lineage,
          workspaceId,
          id,
          type,
          workspaceType: type === 'workspace' ? ('secondary' as const) : null,
          by,
          entryId: ctx.newOrderedId(),
          requestId: requestId(call),
          isSilent: req.silent,
        }
        return ctx.write((db) => create(db, creation), { publishes: true })
      },
    )
    return { node: toNode(node) }
  }
}

async function placeOf(ctx: Ctx, type: NodeKind, parentId: string, by: string, id: string) {
  if (type === 'workspace') {
    // There are no organizations yet that a workspace could be in.
    if (parentId) throw parentMissing('organization')
    return { lineage: [], workspaceId: id }
  }
  return openParent(ctx, type, parentId, by)
}

function checkedTexts({ cfg }: Ctx, req: CreateNodeRequest) {
  return {
    name: checkedText('name', req.name, { charsMin: 1, charsMax: cfg.nameCharsMax }),
    description:
      req.description === undefined
        ? null
        : checkedText('description', req.description, { charsMax: cfg.descriptionCharsMax }),
  }
}
