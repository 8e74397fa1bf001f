import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { invalid, isUuid, notFound, principal, requireUser } from '@figbase/kit'
import { type CatalogService, type MoveRevisionRequest, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { byOf } from '../domain/by.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { nounOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { parentMissing } from '../errors.js'
import { findAccess, findNode, type NodeForCaller } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { relocate } from './move.js'

type Impl = ServiceImpl<typeof CatalogService>

const type = 'figure_revision'

/** Its figure may be full: the owner of the revision has decided already. */
export function moveRevision(ctx: Ctx): Impl['moveRevision'] {
  return async (req, call) => {
    const { isSystem } = principal(call)
    if (!isSystem) requireUser(call)
    const subject = subjectOf(call)
    const id = uuidOrNotFound(req.id, subject, type)
    if (req.position < 0) throw invalid('position', 'must not be negative')
    const node = await ctx.transact(async (tx) => {
      const found = await findNode(tx, id, subject)
      const before = isSystem ? found : authorize(found, Permission.DELETE, subject, type)
      if (before?.type !== type) throw notFound(nounOf[type])
      if (before.parent_id === req.figureId.toLowerCase()) return before
      await putBelow(ctx, tx, before, req, subject, call)
      return findNode(tx, id, subject)
    })
    if (!node) throw notFound(nounOf[type])
    return { node: toNode(node) }
  }
}

async function putBelow(
  ctx: Ctx,
  tx: Tx,
  before: NodeForCaller,
  { figureId, position }: MoveRevisionRequest,
  subject: Subject,
  call: HandlerContext,
) {
  const found = isUuid(figureId) ? await findAccess(tx, figureId, subject) : undefined
  if (found?.type !== 'figure') throw parentMissing('figure')
  const { isSystem } = principal(call)
  const figure = isSystem ? found : authorize(found, Permission.CREATE, subject)
  const { lineage, workspace_id: workspaceId } = figure
  if (!workspaceId) throw new Error(`${figure.id} is in no workspace`)
  if (figure.parent_id !== before.lineage.at(-3)) throw invalid('figure', 'is in another analysis')
  const by = byOf(call, false, subject.username || before.created_by)
  const revision = { before, subject, changes: { position }, expectedVersion: undefined, by }
  await relocate(ctx, tx, revision, { lineage, workspaceId })
  ctx.published(tx)
}
