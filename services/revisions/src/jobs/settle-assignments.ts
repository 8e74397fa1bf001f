import type { Periodic } from '@figbase/kit'
import { dropAssignment } from '../assign/begin.js'
import { finishAssignment } from '../assign/finish.js'
import type { Ctx } from '../context.js'
import { listAbandoned } from '../queries/assignments.js'
import { autoAssign } from './auto-assign.js'

const limits = { uncommittedSeconds: 10 * 60, idleSeconds: 30 }

/** Ends the assignments that their jobs did not: the task was cancelled, or each attempt ended the process. */
export const settleAssignments: Periodic<Ctx> = {
  name: 'settle-assignments',
  everyMs: 30_000,
  async run(ctx, signal) {
    for (const assignment of await listAbandoned(ctx.db, autoAssign.name, limits)) {
      signal.throwIfAborted()
      if (assignment.task_id === null) await dropAssignment(ctx, assignment)
      else await finishAssignment(ctx, assignment)
    }
  },
}
