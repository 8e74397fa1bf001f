import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { invalid, validateAll } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireKeyAccess, requireUnbound, requireUser } from '@figbase/kit/rpc'
import type { CatalogService, CreateNodeRequest } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import type { NodeKind, Tx } from '../db/schema.js'
import { attributionOf } from '../domain/attribution.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { catalogKinds, kindOf } from '../domain/types.js'
import { type Creation, createNode as create } from '../queries/creation.js'
import type { VisibleNode } from '../queries/node-sql.js'
import { insertOrganization } from '../queries/organizations.js'
import { addToOrganization, authorizeOrganization } from './authorize-organization.js'
import { authorizeParent, retryIfMoved } from './authorize-parent.js'
import { authorizeScope } from './authorize-scope.js'
import {
  checkedDescription,
  checkedName,
  checkedOnBehalf,
  checkedOrganization,
} from './checked-fields.js'
import { toNodeMessage } from './node-messages.js'

type Impl = ServiceImpl<typeof CatalogService>

type CreateCall = {
  ctx: Ctx
  call: HandlerContext
  req: CreateNodeRequest
  type: NodeKind
  subject: Subject
  /** The id that a calling service chose. */
  chosenId: string | undefined
  /** The creation at a place. Validates the texts, so the permission must be checked before. */
  creationAt(
    place: Pick<Creation, 'id' | 'ancestors' | 'workspaceId'> & Partial<Creation>,
  ): Creation
}

export function createNode(ctx: Ctx): Impl['createNode'] {
  return async (req, call) => {
    requireUser(call)
    const subject = subjectOf(call)
    const type = kindOf(req.type)
    if (!type || !catalogKinds.includes(type))
      throw invalid('type', 'cannot be created with CreateNode')
    if (type === 'organization' || type === 'workspace') requireUnbound(call)
    // Creating an organization sets its settings, which takes full access.
    if (type === 'organization') requireKeyAccess(subject, ApiKeyAccess.FULL)
    const creationAt: CreateCall['creationAt'] = (place) => ({
      ...validateAll({
        name: () => checkedName(ctx, req.name),
        description: () =>
          req.description === undefined ? null : checkedDescription(ctx, req.description),
        onBehalf: () => (mayActOnBehalf(call) ? checkedOnBehalf(ctx, req.onBehalf) : null),
      }),
      workspaceType: null,
      scopeId: null,
      organizationId: null,
      autoAssignPending: isAutoAssigned(req, type, call),
      importSource: (principal(call).isSystem && req.importSource) || null,
      ...place,
      type,
      by: attributionOf(call, req.silent),
      entryId: ctx.newOrderedId(),
    })
    const chosenId = principal(call).isSystem ? req.id : undefined
    if (chosenId !== undefined && !isUuid(chosenId)) throw invalid('id', 'must be a UUID')
    const node = await creatorOf(type)({ ctx, call, req, type, subject, creationAt, chosenId })
    return { node: await toNodeMessage(ctx.db, node) }
  }
}

/** Only staff and the system create nodes on behalf of others; the field is ignored for other callers. */
function mayActOnBehalf(call: HandlerContext) {
  const { isStaff, isSystem } = principal(call)
  return isStaff || isSystem
}

/** Ignored unless the caller is the system, which also ends auto-assignment. */
function isAutoAssigned(req: CreateNodeRequest, type: NodeKind, call: HandlerContext) {
  return req.autoAssignPending && type === 'figure' && principal(call).isSystem
}

function creatorOf(type: NodeKind): (create: CreateCall) => Promise<VisibleNode> {
  if (type === 'organization') return createOrganization
  return type === 'workspace' ? createWorkspace : createChild
}

function createOrganization({ ctx, call, req, creationAt }: CreateCall) {
  const id = ctx.newId()
  const { creation, settings } = validateAll({
    creation: () => creationAt({ id, ancestors: [], workspaceId: null }),
    settings: () => checkedOrganization(ctx, req.organization),
  })
  return ctx.transact(async (tx) => {
    await insertOrganization(tx, id, settings)
    return recorded(ctx, tx, call, await createRoot(ctx, tx, creation))
  })
}

async function createWorkspace({ ctx, call, req, subject, creationAt }: CreateCall) {
  const organizationId = req.parentId
    ? await authorizeOrganization(ctx.db, req.parentId, subject)
    : null
  const id = ctx.newId()
  const creation = creationAt({
    id,
    ancestors: [],
    workspaceId: id,
    workspaceType: 'secondary',
    organizationId,
  })
  return ctx.transact(async (tx) => {
    const node = await createRoot(ctx, tx, creation)
    if (organizationId) await addToOrganization(ctx, tx, id, organizationId)
    return recorded(ctx, tx, call, { ...node, organization_id: organizationId })
  })
}

async function createRoot(ctx: Ctx, tx: Tx, creation: Creation): Promise<VisibleNode> {
  const node = await create(tx, creation)
  if (!node) throw new Error('unreachable: a root has no ancestors that could be deleted')
  ctx.wakeRelay(tx)
  return node
}

async function recorded(ctx: Ctx, tx: Tx, call: HandlerContext, node: VisibleNode) {
  await ctx.record(tx, call, async () => ({ node: await toNodeMessage(tx, node) }))
  return node
}

function createChild({ ctx, call, req, type, subject, creationAt, chosenId }: CreateCall) {
  const id = chosenId ?? ctx.newId()
  return retryIfMoved(
    () => authorizeParent(ctx, type, req.parentId, subject),
    async ({ lineage: ancestors, workspaceId }) => {
      const scopeId = await authorizeScope(ctx, type, req.scopeId, workspaceId, subject)
      const creation = creationAt({ id, ancestors, workspaceId, scopeId })
      return ctx.writeOnce(
        call,
        (db) => create(db, creation),
        async (node, db) => ({ node: await toNodeMessage(db, node) }),
        { publishes: true },
      )
    },
  )
}
