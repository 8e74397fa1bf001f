import { Cron } from 'croner'
import { sql } from 'kysely'
import type { QueueDb } from './claims.js'
import type { AnyJob } from './define.js'
import { enqueueJob } from './queue.js'

export type Schedules = {
  /**
   * Enqueues what a schedule has made due since it was asked last. Every process asks; who is first to
   * note a time down enqueues. Times at which no process lived are made up for once.
   */
  enqueueDue(db: QueueDb, now?: Date): Promise<void>
  /** Until the next time of a schedule. */
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
            known: 0,
          },
        ]
      : [],
  )
  return {
    async enqueueDue(db, now = new Date()) {
      for (const entry of entries) {
        const [last] = entry.cron.previousRuns(1, now)
        if (!last || last.getTime() <= entry.known) continue
        await db.transaction().execute(async (tx) => {
          if (await noteDown(tx, entry.job.name, last)) {
            await enqueueJob(tx, entry.job, entry.payload)
          }
        })
        entry.known = last.getTime()
      }
    },
    nextInMs: () => Math.min(...entries.map(({ cron }) => cron.msToNext() ?? Infinity)),
  }
}

/** Whether this time is new; the first that is ever noted down is not: it was before the job. */
async function noteDown(tx: QueueDb, name: string, last: Date): Promise<boolean> {
  const { rows } = await sql<{ is_first: boolean }>`
    insert into job_schedule (name, last_on) values (${name}, ${last.toISOString()})
    on conflict (name) do update set last_on = excluded.last_on
     where job_schedule.last_on < excluded.last_on
    returning xmax = 0 as is_first`.execute(tx)
  return rows[0]?.is_first === false
}
