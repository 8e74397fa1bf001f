import type { ServiceImpl } from '@connectrpc/connect'
import { ConcurrentChange, checkedAll, invalid, notFound, requireKeyAccess } from '@figbase/kit'
import {
  type CatalogService,
  Permission,
  type UpdateNodeRequest,
  WorkspaceType,
} from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { type By, byOf } from '../domain/by.js'
import { canonicalPayload } from '../domain/payload.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf, nounOf, ownKinds } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { versionMismatch } from '../errors.js'
import { insertActivity } from '../queries/activity.js'
import { nothing } from '../queries/counts.js'
import { isSame, lockPath } from '../queries/locks.js'
import { findAccess, findNode, isLive, type NodeAccess } from '../queries/nodes.js'
import { type OrganizationChange, updateOrganization } from '../queries/organizations.js'
import { type Changes, insertDeltas, updateOwn } from '../queries/writes.js'
import { answer } from './answer.js'
import { checkedDescription, checkedName, checkedOrganization } from './checked-members.js'
import { move } from './move.js'
import { openScope } from './open-scope.js'
import { type Transferred, transfer } from './transfer.js'

type Impl = ServiceImpl<typeof CatalogService>

export function updateNode(ctx: Ctx): Impl['updateNode'] {
  return async (req, call) => {
    const subject = subjectOf(call)
    const kind = kindOf(req.type)
    const id = uuidOrNotFound(req.id, subject, kind)
    const node = await ctx.transact(async (tx) => {
      const found = await findAccess(tx, id, subject)
      const before = authorize(found, Permission.UPDATE, subject, kind)
      if (before.type === 'organization') requireKeyAccess(subject, ApiKeyAccess.FULL)
      const { expectedVersion, parentId } = req
      const by = byOf(call, req.silent)
      const { texts, organization } = checkedAll({
        texts: () => checkedTexts(ctx, req, before),
        organization: () => checkedOrganization(ctx, req.organization),
      })
      const changes = { ...texts, ...(await checkedScope({ db: tx }, req, before, subject)) }
      const change = { before, changes, expectedVersion, by }
      if (isElsewhere(before, parentId) && before.type !== 'workspace') {
        await move({ ...ctx, db: tx }, tx, { ...change, parentId, subject })
      } else {
        const left = isElsewhere(before, parentId)
          ? await transfer(ctx, tx, before, parentId, subject)
          : undefined
        if (before.type === 'organization') await updateOrganization(tx, id, organization)
        await update(ctx, tx, { ...change, organization, left })
      }
      ctx.published(tx)
      return findNode(tx, id, subject)
    })
    if (!node) throw notFound('this object')
    return { node: await answer(ctx.db, node) }
  }
}

export type Update = {
  before: NodeAccess
  changes: Changes
  expectedVersion: number | undefined
  by: By
}

type OwnUpdate = Update & {
  organization: OrganizationChange
  /** Set when a workspace was put elsewhere. */
  left: Transferred | undefined
}

async function update(
  ctx: Ctx,
  tx: Tx,
  { before, changes, expectedVersion, by, organization, left }: OwnUpdate,
) {
  const { id, type, lineage } = before
  const { actor } = by
  const path = await lockPath(tx, lineage.slice(0, -1))
  if (!path) throw notFound(nounOf[type])
  const after = await updateOwn(tx, id, actor, changes, expectedVersion)
  if (!after) throw await whyNot(tx, before)
  if (!isSame(after.lineage, lineage)) throw new ConcurrentChange('it was moved')
  const at = after.updated_on
  await insertDeltas(tx, { lineage, sizeBytes: 0n, children: 0, counts: nothing, at, actor })
  const payload = canonicalPayload({ ...changes, ...organization, ...left })
  const entry = { at, ...by, target: { id, type, name: after.name }, lineage, payload }
  if (left?.from) {
    await insertActivity(tx, {
      id: ctx.newOrderedId(),
      ...entry,
      action: 'move',
      isDeparture: true,
      places: [],
      organizationId: left.from,
    })
  }
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    ...entry,
    action: left ? 'move' : 'update',
    places: [...path, { id, type }],
  })
}

/** Deleted while this update waited for it, or changed. */
async function whyNot(tx: Tx, { id, type }: NodeAccess) {
  return (await isLive(tx, id)) ? versionMismatch() : notFound(nounOf[type])
}

/** Whether another place is asked for: another parent, of a workspace another organization. */
function isElsewhere(before: NodeAccess, parentId: string | undefined): parentId is string {
  const place = before.parent_id ?? before.organization_id ?? ''
  return parentId !== undefined && parentId.toLowerCase() !== place
}

function checkedTexts(ctx: Ctx, req: UpdateNodeRequest, before: NodeAccess) {
  if (!ownKinds.includes(before.type)) throw invalid('type', 'is not changed here')
  const { name, description, workspaceType } = req
  const texts = checkedAll({
    type: () => checkType(workspaceType, before),
    name: () => (name === undefined ? undefined : checkedName(ctx, name)),
    description: () =>
      description === undefined ? undefined : checkedDescription(ctx, description),
  })
  return {
    ...(texts.name !== undefined && { name: texts.name }),
    ...(texts.description !== undefined && { description: texts.description }),
  }
}

function checkType(asked: WorkspaceType | undefined, { workspace_type }: NodeAccess) {
  const type = workspace_type === 'primary' ? WorkspaceType.PRIMARY : WorkspaceType.SECONDARY
  if (asked !== undefined && asked !== type) throw invalid('workspace_type', 'cannot be changed')
}

async function checkedScope(
  db: Parameters<typeof openScope>[0],
  { scopeId, parentId }: UpdateNodeRequest,
  { type, workspace_id }: NodeAccess,
  subject: Subject,
) {
  if (scopeId === undefined) return {}
  const workspaceId = parentId ?? workspace_id ?? ''
  return { scope_id: await openScope(db, type, scopeId, workspaceId, subject) }
}
