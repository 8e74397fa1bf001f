import { create } from '@bufbuild/protobuf'
import { type CallOptions, Code, type HandlerContext } from '@connectrpc/connect'
import { actAs, hasCode, principal, requireUser, user } from '@figbase/kit'
import { NodeType } from '@figbase/proto/catalog'
import { PrincipalSchema } from '@figbase/proto/common'
import type { Ctx } from '../context.js'
import { inAnalysis } from '../domain/revision-kind.js'
import { aboutParent } from '../errors.js'
import {
  dropUnstarted,
  findAssignment,
  insertAssignment,
  type NewAssignment,
} from '../queries/assignments.js'

const timeoutMs = 10_000
const unnamed = 'Untitled figure'

export type Beginning = { revisionId: string; analysisId: string; names: string[]; silent: boolean }

/**
 * Makes the temporary figure of a revision that is to be assigned. It is noted first, so that whatever
 * becomes of this process, the figure does not stay without a revision.
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
    name: names[0] ?? unnamed,
    silent: true,
    autoAssignPending: true,
  }
  // Only services make such figures; permission is judged by the user, and his API key.
  const service = create(PrincipalSchema, { ...principal(call), isSystem: true })
  try {
    await ctx.catalog.createNode(request, { ...actAs(service), timeoutMs })
    return assignment
  } catch (error) {
    await dropAssignment(ctx, assignment)
    throw aboutParent(error, inAnalysis)
  }
}

/** After a failure: whether its revision was committed all the same, the database knows. */
export async function dropUncommitted(ctx: Ctx, revisionId: string): Promise<void> {
  const assignment = await findAssignment(ctx.db, revisionId).catch(() => undefined)
  if (assignment?.task_id === null) await dropAssignment(ctx, assignment)
}

/** Removes it with its figure, when no revision was committed. What fails here is done again later. */
export async function dropAssignment(ctx: Ctx, assignment: NewAssignment): Promise<void> {
  const { revision_id: revisionId, figure_id: figureId, username } = assignment
  try {
    await removeFigure(ctx, figureId, { ...actAs(user(username)), timeoutMs })
    await dropUnstarted(ctx.db, revisionId)
  } catch (err) {
    ctx.log.warn({ err, revision: revisionId }, 'the figure of an assignment stays for now')
  }
}

/** Silently; it may be gone already. */
export async function removeFigure(ctx: Ctx, id: string, as: CallOptions): Promise<void> {
  const request = { id, type: NodeType.FIGURE, silent: true }
  await ctx.catalog.deleteNode(request, as).catch((error: unknown) => {
    if (!hasCode(error, Code.NotFound)) throw error
  })
}
