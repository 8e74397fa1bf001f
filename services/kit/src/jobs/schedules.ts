import { Cron } from 'croner'
import { sql } from 'kysely'
import type { QueueDb } from './claims.js'
import type { AnyJob } from './define.js'
import { enqueueJob } from './queue.js'

export type Schedules = {
  /**
   * Enqueues the jobs that became due since the last call. Every process calls it; the first one to record a time
   * enqueues. If several times passed while no process was running, the job is enqueued once.
   */
  enqueueDue(db: QueueDb, now?: Date): Promise<void>
  /** Time until the next schedule is due. */
  nextInMs(): number
}

export function createSchedules<Ctx>(jobs: AnyJob<Ctx>[]): Schedules {
  const entries = jobs.flatMap(({ schedule, ...job }) =>
    schedule
      ? [
          {
            job,
            payload: schedule.payload,
            cron: new Cron(schedule.cron, { timezone: 'UTC' }),
            recordedAt: 0,
          },
        ]
      : [],
  )
  return {
    async enqueueDue(db, now = new Date()) {
      for (const entry of entries) {
        const [last] = entry.cron.previousRuns(1, now)
        if (!last || last.getTime() <= entry.recordedAt) continue
        await db.transaction().execute(async (tx) => {
          if (await recordTime(tx, entry.job.name, last)) {
            await enqueueJob(tx, entry.job, entry.payload)
          }
        })
        entry.recordedAt = last.getTime()
      }
    },
    nextInMs: () => Math.min(...entries.map(({ cron }) => cron.msToNext() ?? Infinity)),
  }
}

/** Records a time; returns whether it is new. The very first one is not, because it precedes the job. */
async function recordTime(tx: QueueDb, name: string, last: Date): Promise<boolean> {
  const { rows } = await sql<{ is_first: boolean }>`
    insert into job_schedule (name, last_on) values (${name}, ${last.toISOString()})
    on conflict (name) do update set last_on = excluded.last_on
     where job_schedule.last_on < excluded.last_on
    returning xmax = 0 as is_first`.execute(tx)
  return rows[0]?.is_first === false
}
