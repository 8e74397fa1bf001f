import { create } from '@bufbuild/protobuf'
import { type CallOptions, Code, type HandlerContext } from '@connectrpc/connect'
import { hasCode } from '@figbase/kit/errors'
import { actAs, principal, requireUser, user } from '@figbase/kit/rpc'
import { NodeType } from '@figbase/proto/catalog'
import { PrincipalSchema } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import { inAnalysis } from '../domain/revision-kind.js'
import { aboutParent } from '../errors.js'
import {
  deleteUnstarted,
  findAssignment,
  insertAssignment,
  type NewAssignment,
} from '../queries/assignments.js'

const timeoutMs = 10_000
const defaultName = 'Untitled figure'

export type Beginning = { revisionId: string; analysisId: string; names: string[]; silent: boolean }

/**
 * Creates the temporary figure of a revision that will be assigned. The row is written first, so that a
 * crash does not leave a figure without a revision.
 */
export async function beginAssignment(
  ctx: Ctx,
  { revisionId, analysisId, names, silent }: Beginning,
  call: HandlerContext,
): Promise<NewAssignment> {
  const assignment = {
    revision_id: revisionId,
    figure_id: ctx.newId(),
    analysis_id: analysisId,
    username: requireUser(call),
    silent,
  }
  await insertAssignment(ctx.db, assignment)
  const request = {
    id: assignment.figure_id,
    type: NodeType.FIGURE,
    parentId: analysisId,
    name: names[0] ?? defaultName,
    silent: true,
    autoAssignPending: true,
  }
  // Only services may create temporary figures. Catalog checks the permission of the user and the API key.
  const service = create(PrincipalSchema, { ...principal(call), isSystem: true })
  try {
    await ctx.catalog.createNode(request, { ...actAs(service), timeoutMs })
    return assignment
  } catch (error) {
    await abandonAssignment(ctx, assignment)
    throw aboutParent(error, inAnalysis)
  }
}

/** After a failure. The database knows whether the revision was committed all the same. */
export async function abandonUncommitted(ctx: Ctx, revisionId: string): Promise<void> {
  const assignment = await findAssignment(ctx.db, revisionId).catch(() => undefined)
  if (assignment?.task_id === null) await abandonAssignment(ctx, assignment)
}

/** Deletes an assignment without a committed revision, and its figure. On failure it is retried later. */
export async function abandonAssignment(ctx: Ctx, assignment: NewAssignment): Promise<void> {
  const { revision_id: revisionId, figure_id: figureId, username } = assignment
  try {
    await removeFigure(ctx, figureId, { ...actAs(user(username)), timeoutMs })
    await deleteUnstarted(ctx.db, revisionId)
  } catch (err) {
    ctx.log.warn(
      { err, revision: revisionId },
      'deleting the temporary figure of an assignment failed',
    )
  }
}

/** Without events. The figure may be gone already. */
export async function removeFigure(ctx: Ctx, id: string, as: CallOptions): Promise<void> {
  const request = { id, type: NodeType.FIGURE, silent: true }
  await ctx.catalog.deleteNode(request, as).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}
