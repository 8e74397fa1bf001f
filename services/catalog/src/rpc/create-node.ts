import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import {
  checkedAll,
  invalid,
  isUuid,
  principal,
  requireKeyAccess,
  requireUnbound,
  requireUser,
} from '@figbase/kit'
import type { CatalogService, CreateNodeRequest } from '@figbase/proto/catalog'
import { ApiKeyAccess } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import type { NodeKind, Tx } from '../db/schema.js'
import { byOf } from '../domain/by.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { kindOf, ownKinds } from '../domain/types.js'
import { type Creation, createNode as create } from '../queries/creation.js'
import type { VisibleNode } from '../queries/nodes.js'
import { insertOrganization } from '../queries/organizations.js'
import { answer } from './answer.js'
import {
  checkedDescription,
  checkedName,
  checkedOnBehalf,
  checkedOrganization,
} from './checked-members.js'
import { join, openOrganization } from './open-organization.js'
import { atPlace, openParent } from './open-parent.js'
import { openScope } from './open-scope.js'

type Impl = ServiceImpl<typeof CatalogService>

type Making = {
  ctx: Ctx
  req: CreateNodeRequest
  type: NodeKind
  subject: Subject
  /** By one of our services. */
  chosenId: string | undefined
  /** The creation at its place. Looks at the texts, so permission must be judged before. */
  at(place: Pick<Creation, 'id' | 'ancestors' | 'workspaceId'> & Partial<Creation>): Creation
}

export function createNode(ctx: Ctx): Impl['createNode'] {
  return async (req, call) => {
    requireUser(call)
    const subject = subjectOf(call)
    const type = kindOf(req.type)
    if (!type || !ownKinds.includes(type)) throw invalid('type', 'is not created here')
    if (type === 'organization' || type === 'workspace') requireUnbound(call)
    // What an organization has of its own are settings.
    if (type === 'organization') requireKeyAccess(subject, ApiKeyAccess.FULL)
    const at: Making['at'] = (place) => ({
      ...checkedAll({
        name: () => checkedName(ctx, req.name),
        description: () =>
          req.description === undefined ? null : checkedDescription(ctx, req.description),
        onBehalf: () => (mayAct(call) ? checkedOnBehalf(ctx, req.onBehalf) : null),
      }),
      workspaceType: null,
      scopeId: null,
      organizationId: null,
      autoAssignPending: isAutoAssigned(req, type, call),
      ...place,
      type,
      by: byOf(call, req.silent),
      entryId: ctx.newOrderedId(),
    })
    const chosenId = principal(call).isSystem ? req.id : undefined
    if (chosenId !== undefined && !isUuid(chosenId)) throw invalid('id', 'must be a UUID')
    const node = await makerOf(type)({ ctx, req, type, subject, at, chosenId })
    return { node: await answer(ctx.db, node) }
  }
}

/** On behalf of others act staff and the system; who else says so is not heard. */
function mayAct(call: HandlerContext) {
  const { isStaff, isSystem } = principal(call)
  return isStaff || isSystem
}

/** Only of our services, which end it too. */
function isAutoAssigned(req: CreateNodeRequest, type: NodeKind, call: HandlerContext) {
  return req.autoAssignPending && type === 'figure' && principal(call).isSystem
}

function makerOf(type: NodeKind): (making: Making) => Promise<VisibleNode> {
  if (type === 'organization') return createOrganization
  return type === 'workspace' ? createWorkspace : createBelow
}

function createOrganization({ ctx, req, at }: Making) {
  const id = ctx.newId()
  const { creation, own } = checkedAll({
    creation: () => at({ id, ancestors: [], workspaceId: null }),
    own: () => checkedOrganization(ctx, req.organization),
  })
  return ctx.transact(async (tx) => {
    await insertOrganization(tx, id, own)
    return createRoot(ctx, tx, creation)
  })
}

async function createWorkspace({ ctx, req, subject, at }: Making) {
  const organizationId = req.parentId ? await openOrganization(ctx.db, req.parentId, subject) : null
  const id = ctx.newId()
  const creation = at({
    id,
    ancestors: [],
    workspaceId: id,
    workspaceType: 'secondary',
    organizationId,
  })
  return ctx.transact(async (tx) => {
    const node = await createRoot(ctx, tx, creation)
    if (organizationId) await join(ctx, tx, id, organizationId)
    return { ...node, organization_id: organizationId }
  })
}

async function createRoot(ctx: Ctx, tx: Tx, creation: Creation): Promise<VisibleNode> {
  const node = await create(tx, creation)
  if (!node) throw new Error('a root has nothing above it that could be gone')
  ctx.published(tx)
  return node
}

function createBelow({ ctx, req, type, subject, at, chosenId }: Making) {
  const id = chosenId ?? ctx.newId()
  return atPlace(
    () => openParent(ctx, type, req.parentId, subject),
    async ({ lineage: ancestors, workspaceId }) => {
      const scopeId = await openScope(ctx, type, req.scopeId, workspaceId, subject)
      const creation = at({ id, ancestors, workspaceId, scopeId })
      return ctx.write((db) => create(db, creation), { publishes: true })
    },
  )
}
