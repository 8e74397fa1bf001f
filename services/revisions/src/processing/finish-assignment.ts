import { type CallOptions, Code } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, actAsSystem, user } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { AssignmentRow } from '../db/schema.js'
import { processRevision } from '../job-names.js'
import { removeFigure } from '../publication/assignment.js'
import { endAssignment, moveToFigure } from '../queries/assignments.js'

const timeoutMs = 10_000
const asSystem = (): CallOptions => ({ ...actAsSystem(), timeoutMs })

/**
 * Ends an assignment: moves the revision to its target or keeps the temporary figure, and enqueues the
 * processing. Each step can be repeated. Returns whether the revision was moved.
 */
export async function finishAssignment(ctx: Ctx, assignment: AssignmentRow): Promise<boolean> {
  const { revision_id: revisionId, figure_id: figureId, workspace_id, silent } = assignment
  const isMoved = assignment.target_id !== null && (await move(ctx, assignment))
  if (!isMoved || !(await isRemoved(ctx, assignment))) await keepFigure(ctx, figureId)
  const workspaceId = workspace_id ?? ''
  await ctx.transact(async (tx) => {
    await endAssignment(tx, revisionId)
    const payload = { revisionId, workspaceId, silent }
    await ctx.enqueue(tx, processRevision, payload, { key: revisionId, workspaceId })
  })
  return isMoved
}

/** False if the revision or the target figure is gone. The revision then stays in its figure. */
async function move(ctx: Ctx, { revision_id: id, figure_id, target_id }: AssignmentRow) {
  const figureId = target_id ?? figure_id
  const position = await ctx.write((db) => moveToFigure(db, id, figureId))
  if (position === undefined) return false
  try {
    await ctx.catalog.moveRevision({ id, figureId, position }, asSystem())
    return true
  } catch (error) {
    if (!isGone(error)) throw error
    await ctx.write((db) => moveToFigure(db, id, figure_id))
    return false
  }
}

/** False if the figure has other children, or its creator may not delete it any more. */
async function isRemoved(ctx: Ctx, { figure_id: id, username }: AssignmentRow) {
  const as = { ...actAs(user(username)), timeoutMs }
  try {
    const { node } = await ctx.catalog.getNode({ id, type: NodeType.FIGURE }, as)
    if (node && node.children > 0) return false
    await removeFigure(ctx, id, as)
    return true
  } catch (error) {
    if (hasCode(error, Code.NotFound)) return true
    if (hasCode(error, Code.PermissionDenied)) return false
    throw error
  }
}

async function keepFigure(ctx: Ctx, id: string) {
  await ctx.catalog.endAutoAssign({ id }, asSystem()).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}

const isGone = (error: unknown) =>
  hasCode(error, Code.NotFound) ||
  hasCode(error, Code.InvalidArgument) ||
  hasCode(error, Code.FailedPrecondition)
