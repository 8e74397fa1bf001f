import { defineJob, type Job } from '@figbase/kit/jobs'
import type { Ctx } from '../context.js'
import { nextTime } from '../domain/git-fields.js'
import { listDue, postpone } from '../queries/git-repositories.js'
import { startImport } from '../repositories/start-import.js'

const batchRows = 100

/** Starts the imports that are due. Missed times are made up for once. */
export const scheduleImports: Job<Ctx, object> = defineJob<Ctx, object>({
  name: 'schedule-git-imports',
  attemptsMax: 3,
  timeoutMs: 5 * 60_000,
  schedule: { cron: '* * * * *', payload: {} },
  async run(ctx, _, signal) {
    for (;;) {
      const due = await listDue(ctx.db, batchRows)
      for (const repository of due) {
        signal.throwIfAborted()
        await ctx.transact(async (tx) => {
          const isDue = await postpone(tx, repository, nextTime(repository.schedule))
          if (isDue) await startImport(ctx, tx, repository, 'SCHEDULE')
        })
      }
      if (due.length < batchRows) return
    }
  },
})
