import { actAs, user } from '@figbase/kit/rpc'
import { defineTaskJob, type TaskHandle, TaskRevoked } from '@figbase/kit/tasks'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { AssignmentRow } from '../db/schema.js'
import { figureNames } from '../domain/figure-names.js'
import { isFinal } from '../errors.js'
import { chooseImage } from '../images/choose.js'
import { autoAssign } from '../job-names.js'
import { findAssignment, setAssignmentTarget } from '../queries/assignments.js'
import { listData } from '../queries/data.js'
import { beginProcessing } from '../queries/processing.js'
import { getRevision } from '../queries/revisions.js'
import { chooseFigure } from './choose-figure.js'
import { finishAssignment } from './finish-assignment.js'
import { imageCrashReason } from './process-data.js'
import { activateDeferred } from './process-revision.js'

const callTimeoutMs = 10_000
/** At most so many wait for a language model, which uses nothing of this process. */
export const waitingMax = 8
/** After this many attempts, an image that crashes the process is skipped. */
const imageAttemptsMax = 2

/**
 * Moves a revision to its figure in the analysis. If none is found, the temporary figure becomes an
 * ordinary one.
 */
export const autoAssignJob = defineTaskJob(autoAssign, {
  timeoutMs: 5 * 60_000,
  concurrencyMax: waitingMax,
  async run(ctx: Ctx, { revisionId }, task) {
    const assignment = await findAssignment(ctx.db, revisionId)
    // The assignment has ended, but an earlier attempt could not report it.
    if (!assignment) return undefined
    let failure: unknown
    let by: string | undefined
    if (assignment.target_id === null) {
      try {
        const chosen = await choose(ctx, assignment, task)
        by = chosen?.by
        assignment.target_id = chosen?.figureId ?? null
        await setAssignmentTarget(ctx.db, revisionId, assignment.target_id)
      } catch (error) {
        const isLast =
          task.attempt >= autoAssign.attemptsMax || task.signal.reason instanceof TaskRevoked
        if (!isLast) throw error
        failure = error
      }
    }
    task.progress(80)
    const isMoved = await finishAssignment(ctx, assignment)
    if (failure !== undefined) throw failure
    const figure = isMoved ? assignment.target_id : assignment.figure_id
    return { revision: revisionId, figure, is_assigned: isMoved, ...(isMoved && by && { by }) }
  },
})

async function choose(
  ctx: Ctx,
  { revision_id: id, analysis_id, username, silent }: AssignmentRow,
  task: TaskHandle,
) {
  const { signal, attempt } = task
  const as = { ...actAs(user(username)), timeoutMs: callTimeoutMs, signal }
  const input = await beginProcessing(ctx.db, id)
  if (!input) return undefined
  await activateDeferred(ctx, input, silent)
  const { metadata } = await getRevision(ctx.db, id)
  const skipReason = attempt > imageAttemptsMax ? imageCrashReason : undefined
  const { chosen: image } = await chooseImage(ctx, input.images, skipReason, signal)
  const features = {
    revisionId: id,
    analysisId: analysis_id,
    names: figureNames(metadata, await listData(ctx.db, id)),
    image,
  }
  const chosen = await chooseFigure(ctx, features, task, as)
  if (!chosen) return undefined
  const request = { id: chosen.figureId, permission: Permission.CREATE, type: NodeType.FIGURE }
  try {
    await ctx.catalog.checkAccess(request, as)
    return chosen
  } catch (error) {
    if (isFinal(error)) return undefined
    throw error
  }
}
