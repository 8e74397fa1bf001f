import { actAs, defineTaskJob, type TaskHandle, TaskRevoked, user } from '@figbase/kit'
import { NodeType, Permission } from '@figbase/proto/catalog'
import type { Ctx } from '../context.js'
import type { AssignmentRow } from '../db/schema.js'
import { figureNames } from '../domain/figure-names.js'
import { isFinal } from '../errors.js'
import { chooseImage } from '../images/choose.js'
import { autoAssign } from '../job-names.js'
import { aimAssignment, findAssignment } from '../queries/assignments.js'
import { listData } from '../queries/data.js'
import { beginProcessing } from '../queries/processing.js'
import { getRevision } from '../queries/revisions.js'
import { chooseFigure } from './choose-figure.js'
import { finishAssignment } from './finish-assignment.js'
import { imageEndsProcess } from './process-data.js'
import { activateLate } from './process-revision.js'

const callTimeoutMs = 10_000
/** An image that ends the process is not looked at once more. */
const looksMax = 2

/** Puts a revision where it belongs among the figures of its analysis; its temporary figure stays otherwise. */
export const autoAssignJob = defineTaskJob(autoAssign, {
  timeoutMs: 5 * 60_000,
  async run(ctx: Ctx, { revisionId }, task) {
    const assignment = await findAssignment(ctx.db, revisionId)
    // It has ended, and only that could not be told.
    if (!assignment) return undefined
    let failure: unknown
    let by: string | undefined
    if (assignment.target_id === null) {
      try {
        const chosen = await choose(ctx, assignment, task)
        by = chosen?.by
        assignment.target_id = chosen?.figureId ?? null
        await aimAssignment(ctx.db, revisionId, assignment.target_id)
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
  { signal, attempt }: TaskHandle,
) {
  const as = { ...actAs(user(username)), timeoutMs: callTimeoutMs, signal }
  const begun = await beginProcessing(ctx.db, id)
  if (!begun) return undefined
  await activateLate(ctx, begun, silent)
  const { metadata } = await getRevision(ctx.db, id)
  const giveUp = attempt > looksMax ? imageEndsProcess : undefined
  const { chosen: image } = await chooseImage(ctx, begun.images, giveUp, signal)
  const clues = {
    analysisId: analysis_id,
    names: figureNames(metadata, await listData(ctx.db, id)),
    likeness: image?.picture.likeness,
  }
  const chosen = await chooseFigure(ctx, clues, as)
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
