import type { ServiceImpl } from '@connectrpc/connect'
import { ConcurrentChange } from '@figbase/kit/db'
import { invalid, notFound, validateAll } from '@figbase/kit/errors'
import { requireKeyAccess } from '@figbase/kit/rpc'
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
import { type Attribution, attributionOf } from '../domain/attribution.js'
import { canonicalPayload } from '../domain/payload.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { catalogKinds, kindOf, nounOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { versionMismatch } from '../errors.js'
import { findAccess, type NodeAccess } from '../queries/access.js'
import { insertActivity } from '../queries/activity.js'
import { zeroCounts } from '../queries/counts.js'
import { isSamePath, lockPath } from '../queries/locks.js'
import { findNode, isLive } from '../queries/nodes.js'
import { type OrganizationChange, updateOrganization } from '../queries/organizations.js'
import { listStaleReasons } from '../queries/stale.js'
import { type Changes, insertDeltas, updateNodeColumns } from '../queries/writes.js'
import { authorizeScope } from './authorize-scope.js'
import { checkedDescription, checkedName, checkedOrganization } from './checked-fields.js'
import { move } from './move.js'
import { toNodeMessage } from './node-messages.js'
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
      const by = attributionOf(call, req.silent)
      const { texts, organization } = validateAll({
        texts: () => checkedTexts(ctx, req, before),
        organization: () => checkedOrganization(ctx, req.organization),
      })
      const changes = { ...texts, ...(await checkedScope({ db: tx }, req, before, subject)) }
      const change = { before, changes, expectedVersion, by }
      if (changesParent(before, parentId) && before.type !== 'workspace') {
        await move({ ...ctx, db: tx }, tx, { ...change, parentId, subject })
      } else {
        const transferred = changesParent(before, parentId)
          ? await transfer(ctx, tx, before, parentId, subject)
          : undefined
        if (before.type === 'organization') await updateOrganization(tx, id, organization)
        await update(ctx, tx, { ...change, organization, transferred })
      }
      ctx.wakeRelay(tx)
      const node = await findNode(tx, id, subject)
      if (!node?.is_stale) return node
      return { ...node, stale_because: await listStaleReasons(tx, id, subject) }
    })
    if (!node) throw notFound('this object')
    return { node: await toNodeMessage(ctx.db, node) }
  }
}

export type Update = {
  before: NodeAccess
  changes: Changes
  expectedVersion: number | undefined
  by: Attribution
}

type NodeUpdate = Update & {
  organization: OrganizationChange
  /** Set when a workspace changed its organization. */
  transferred: Transferred | undefined
}

async function update(
  ctx: Ctx,
  tx: Tx,
  { before, changes, expectedVersion, by, organization, transferred }: NodeUpdate,
) {
  const { id, type, lineage } = before
  const { actor } = by
  const path = await lockPath(tx, lineage.slice(0, -1))
  if (!path) throw notFound(nounOf[type])
  const after = await updateNodeColumns(tx, id, actor, changes, expectedVersion)
  if (!after) throw await updateFailure(tx, before)
  if (!isSamePath(after.lineage, lineage)) throw new ConcurrentChange('the node was moved')
  const at = after.updated_on
  await insertDeltas(tx, { lineage, sizeBytes: 0n, children: 0, counts: zeroCounts, at, actor })
  const payload = canonicalPayload({ ...changes, ...organization, ...transferred })
  const entry = { at, ...by, target: { id, type, name: after.name }, lineage, payload }
  if (transferred?.from) {
    await insertActivity(tx, {
      id: ctx.newOrderedId(),
      ...entry,
      action: 'move',
      isDeparture: true,
      places: [],
      organizationId: transferred.from,
    })
  }
  await insertActivity(tx, {
    id: ctx.newOrderedId(),
    ...entry,
    action: transferred ? 'move' : 'update',
    places: [...path, { id, type }],
  })
}

/** The error for an update that matched no row: the node was deleted meanwhile, or has another version. */
async function updateFailure(tx: Tx, { id, type }: NodeAccess) {
  return (await isLive(tx, id)) ? versionMismatch() : notFound(nounOf[type])
}

/** Whether the request names another parent; for a workspace, another organization. */
function changesParent(before: NodeAccess, parentId: string | undefined): parentId is string {
  const place = before.parent_id ?? before.organization_id ?? ''
  return parentId !== undefined && parentId.toLowerCase() !== place
}

function checkedTexts(ctx: Ctx, req: UpdateNodeRequest, before: NodeAccess) {
  if (!catalogKinds.includes(before.type) && !isMoveOfStory(req, before)) {
    throw invalid('type', 'cannot be updated with UpdateNode')
  }
  const { name, description, workspaceType } = req
  const texts = validateAll({
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

/** The service that owns stories changes their texts. */
const isMoveOfStory = (
  { name, description, scopeId, parentId }: UpdateNodeRequest,
  before: NodeAccess,
) =>
  before.type === 'story' &&
  changesParent(before, parentId) &&
  name === undefined &&
  description === undefined &&
  scopeId === undefined

function checkType(requested: WorkspaceType | undefined, { workspace_type }: NodeAccess) {
  const type = workspace_type === 'primary' ? WorkspaceType.PRIMARY : WorkspaceType.SECONDARY
  if (requested !== undefined && requested !== type)
    throw invalid('workspace_type', 'cannot be changed')
}

async function checkedScope(
  db: Parameters<typeof authorizeScope>[0],
  { scopeId, parentId }: UpdateNodeRequest,
  { type, workspace_id }: NodeAccess,
  subject: Subject,
) {
  if (scopeId === undefined) return {}
  const workspaceId = parentId ?? workspace_id ?? ''
  return { scope_id: await authorizeScope(db, type, scopeId, workspaceId, subject) }
}
