import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import { invalid, notFound } from '@figbase/kit/errors'
import { isUuid } from '@figbase/kit/ids'
import { principal, requireUser } from '@figbase/kit/rpc'
import { type CatalogService, type MoveRevisionRequest, Permission } from '@figbase/proto/catalog'
import { authorize } from '../access.js'
import type { Ctx } from '../context.js'
import type { Tx } from '../db/schema.js'
import { attributionOf } from '../domain/attribution.js'
import { type Subject, subjectOf } from '../domain/subject.js'
import { nounOf } from '../domain/types.js'
import { uuidOrNotFound } from '../domain/uuid.js'
import { parentNotFound } from '../errors.js'
import { findAccess } from '../queries/access.js'
import type { NodeForCaller } from '../queries/node-sql.js'
import { findNode } from '../queries/nodes.js'
import { toNode } from '../wire.js'
import { relocate } from './move.js'

type Impl = ServiceImpl<typeof CatalogService>

const type = 'figure_revision'

/** Does not check CHILDREN_MAX of the figure: the revisions service has already committed the move. */
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
      await moveToFigure(ctx, tx, before, req, subject, call)
      return findNode(tx, id, subject)
    })
    if (!node) throw notFound(nounOf[type])
    return { node: toNode(node) }
  }
}

async function moveToFigure(
  ctx: Ctx,
  tx: Tx,
  before: NodeForCaller,
  { figureId, position }: MoveRevisionRequest,
  subject: Subject,
  call: HandlerContext,
) {
  const found = isUuid(figureId) ? await findAccess(tx, figureId, subject) : undefined
  if (found?.type !== 'figure') throw parentNotFound('figure')
  const { isSystem } = principal(call)
  const figure = isSystem ? found : authorize(found, Permission.CREATE, subject)
  const { lineage, workspace_id: workspaceId } = figure
  if (!workspaceId) throw new Error(`figure ${figure.id} has no workspace`)
  if (figure.parent_id !== before.lineage.at(-3)) throw invalid('figure', 'is in another analysis')
  const by = attributionOf(call, false, subject.username || before.created_by)
  const revision = { before, subject, changes: { position }, expectedVersion: undefined, by }
  await relocate(ctx, tx, revision, { lineage, workspaceId })
  ctx.wakeRelay(tx)
}
