import type { ServiceImpl } from '@connectrpc/connect'
import { checkedText, invalid, requestId, requireUser } from '@figbase/kit'
import type { CatalogService, CreateNodeRequest } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { NodeKind, Tx } from '../db/schema.js'
import { kindOf } from '../domain/types.js'
import { insertActivity } from '../queries/activity.js'
import { insertGrant } from '../queries/grants.js'
import { nothingBelow } from '../queries/nodes.js'
import { insertDeltas, insertNode } from '../queries/writes.js'
import { toNode } from '../wire.js'
import { openParent } from './open-parent.js'

type Impl = ServiceImpl<typeof CatalogService>

const creatable: NodeKind[] = ['workspace', 'analysis', 'figure']

export function createNode(ctx: Ctx): Impl['createNode'] {
  return async (req, call) => {
    const subject = requireUser(call)
    const kind = kindOf(req.type)
    if (!kind || !creatable.includes(kind)) throw invalid('type', 'is not created here')
    const id = ctx.newId()
    const node = await ctx.transact(async (tx) => {
      const place = await placeOf(ctx, tx, kind, req.parentId, subject, id)
      const texts = checkedTexts(ctx, req)
      const lineage = [...place.lineage, id]
      const created = await insertNode(tx, {
        ...texts,
        id,
        type: kind,
        parent_id: place.parentId,
        lineage,
        workspace_id: place.workspaceId,
        workspace_type: kind === 'workspace' ? 'secondary' : null,
        state: 'active',
        created_by: subject,
      })
      if (kind === 'workspace') await insertGrant(tx, id, subject, 'owner', subject)
      const at = created.created_on
      await insertDeltas(tx, { lineage, sizeBytes: 0n, children: 1, at, actor: subject })
      await insertActivity(tx, {
        id: ctx.newOrderedId(),
        at,
        action: 'create',
        actor: subject,
        requestId: requestId(call),
        isSilent: req.silent,
        target: { id, type: kind, name: texts.name },
        path: [...place.path, { id, type: kind }],
      })
      return created
    })
    return { node: toNode({ ...node, ...nothingBelow }) }
  }
}

async function placeOf(
  ctx: Ctx,
  tx: Tx,
  kind: NodeKind,
  parentId: string,
  subject: string,
  id: string,
) {
  if (kind === 'workspace') return { parentId: null, workspaceId: id, lineage: [], path: [] }
  const parent = await openParent(ctx, tx, kind, parentId, subject)
  const { workspace_id: workspaceId, lineage, path } = parent
  return { parentId: parent.id, workspaceId, lineage, path }
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
