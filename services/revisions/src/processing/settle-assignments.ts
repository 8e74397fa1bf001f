import type { Periodic } from '@figbase/kit/service'
import type { Ctx } from '../context.js'
import { autoAssign } from '../job-names.js'
import { abandonAssignment } from '../publication/assignment.js'
import { listAbandoned } from '../queries/assignments.js'
import { finishAssignment } from './finish-assignment.js'

/**
 * Ends the assignments that their jobs did not end: the task was cancelled, or each attempt crashed the
 * process.
 */
export const settleAssignments: Periodic<Ctx> = {
  name: 'settle-assignments',
  everyMs: 5000,
  idleMsMax: 60_000,
  async run(ctx, signal) {
    const uncommittedSeconds = ctx.cfg.pendingSettleAfterMs / 1000
    const abandoned = await listAbandoned(ctx.db, autoAssign.name, uncommittedSeconds)
    for (const assignment of abandoned) {
      signal.throwIfAborted()
      if (assignment.task_id === null) await abandonAssignment(ctx, assignment)
      else await finishAssignment(ctx, assignment)
    }
    return abandoned.length > 0
  },
}
