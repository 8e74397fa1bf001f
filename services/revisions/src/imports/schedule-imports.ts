import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { nextTime } from '../domain/git-fields.js'
import { scheduleGitImports } from '../job-names.js'
import { listDue, postpone } from '../queries/git-repositories.js'
import { endCancelled } from '../repositories/end-abandoned.js'
import { planImport } from '../repositories/plan-import.js'
import { startImport } from '../repositories/start-import.js'

const batchRows = 100

/** Starts the imports that are due. Missed times are made up for once. */
export const scheduleImports: Job<Ctx, object> = defineJob<Ctx, object>({
  ...scheduleGitImports,
  timeoutMs: 5 * 60_000,
  async run(ctx, _, signal) {
    for (;;) {
      const due = await listDue(ctx.db, batchRows)
      await endCancelled(
        ctx,
        due.map(({ id }) => id),
      )
      for (const repository of due) {
        signal.throwIfAborted()
        await ctx.transact(async (tx) => {
          const next = nextTime(repository.schedule)
          if (!(await postpone(tx, repository, next))) return
          await planImport(ctx, tx, next)
          await startImport(ctx, tx, repository, 'SCHEDULE')
        })
      }
      if (due.length < batchRows) return
    }
  },
})
