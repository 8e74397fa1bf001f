import type { ServiceImpl } from '@connectrpc/connect'
import {
  ConcurrentChange,
  checkedText,
  invalid,
  notFound,
  principal,
  requestId,
} from '@figbase/kit'
import {
  type CatalogService,
  Permission,
  type UpdateNodeRequest,
  WorkspaceType,
} from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { kindOf, nounOf, ownKinds } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { versionMismatch } from '../errors.js'
import { insertActivity } from '../queries/activity.js'
import {
  findAccess,
  findNode,
  isLive,
  isSame,
  lockPath,
  type NodeAccess,
} from '../queries/nodes.js'
import { type Changes, insertDeltas, updateOwn } from '../queries/writes.js'
import { toNode } from '../wire.js'
import { move } from './move.js'
import { openScope } from './open-scope.js'

type Impl = ServiceImpl<typeof CatalogService>

export function updateNode(ctx: Ctx): Impl['updateNode'] {
  return async (req, call) => {
    const { username } = principal(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, username, kind)
    const node = await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, username)
      const before = authorize(found, Permission.UPDATE, username, kind)
      const { silent: isSilent, expectedVersion, parentId } = req
      const by = { username, requestId: requestId(call), isSilent }
      const changes = {
        ...checkedTexts(ctx, req, before),
        ...(await checkedScope({ db: tx }, req, before, username)),
      }
      if (isElsewhere(before, parentId)) {
        await move({ ...ctx, db: tx }, tx, { before, parentId, changes, expectedVersion, by })
      } else {
        await update(ctx, tx, { before, changes, expectedVersion, by })
      }
      ctx.published(tx)
      return findNode(tx, id, username)
    })
    if (!node) throw notFound('this object')
    return { node: toNode(node) }
  }
}

export type Update = {
  before: NodeAccess
  changes: Changes
  expectedVersion: number | undefined
  by: { username: string; requestId: string; isSilent: boolean }
}

async function update(ctx: Ctx, tx: Tx, { before, changes, expectedVersion, by }: Update) {
  const { id, type, lineage } = before
  const { username: actor, requestId, isSilent } = by
  const path = await lockPath(tx, lineage.slice(0, -1))
  if (!path) throw notFound(nounOf[type])
  const after = await updateOwn(tx, id, actor, changes, expectedVersion)
  if (!after) throw await whyNot(tx, before)
  if (!isSame(after.lineage, lineage)) throw new ConcurrentChange('it was moved')
  const at = after.updated_on
  await insertDeltas(tx, { lineage, sizeBytes: 0n, children: 0, at, actor })
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    at,
    action: 'update',
    actor,
    requestId,
    isSilent,
    target: { id, type, name: after.name },
    path: [...path, { id, type }],
  })
}

/** Deleted while this update waited for it, or changed. */
async function whyNot(tx: Tx, { id, type }: NodeAccess) {
  return (await isLive(tx, id)) ? versionMismatch() : notFound(nounOf[type])
}

const isElsewhere = ({ parent_id }: NodeAccess, parentId: string | undefined): parentId is string =>
  parentId !== undefined && parentId.toLowerCase() !== (parent_id ?? '')

function checkedTexts({ cfg }: Ctx, req: UpdateNodeRequest, before: NodeAccess) {
  if (!ownKinds.includes(before.type)) throw invalid('type', 'is not changed here')
  if (before.type === 'workspace' && isElsewhere(before, req.parentId)) {
    throw invalid('organization', 'does not exist')
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

async function checkedScope(
  db: Parameters<typeof openScope>[0],
  { scopeId, parentId }: UpdateNodeRequest,
  { type, workspace_id }: NodeAccess,
  subject: string,
) {
  if (scopeId === undefined) return {}
  const workspaceId = parentId ?? workspace_id ?? ''
  return { scope_id: await openScope(db, type, scopeId, workspaceId, subject) }
}
