import type pg from 'pg'
import { createDb } from '../db/pool.js'
import type { Events } from '../events/start-events.js'
import type { FailPoint } from '../faults/fail-points.js'
import { type JobRunner, startJobs } from '../jobs/run-jobs.js'
import { deleteOldResults } from '../keyed/delete-old.js'
import type { Lifecycle } from '../lifecycle/lifecycle.js'
import { type RunningPeriodic, startPeriodic } from '../lifecycle/periodic.js'
import type { Logger } from '../log.js'
import type { Tracing } from '../scope/span.js'
import type { Service } from './service.js'

export type WorkersOptions = {
  service: Service
  jobPool: pg.Pool
  settings: {
    jobConcurrency: number
    jobLeaseMs: number
    deadJobRetentionMs: number
    keyRetentionMs: number
  }
  log: Logger
  failPoint: FailPoint | undefined
  tracing: Tracing | undefined
}

/** The background work of a service: jobs, events and periodic work. */
export type Workers = {
  wakeJobs(): void
  wakePeriodic(): void
  start(ctx: unknown, events: Events<unknown>): Promise<void>
}

export function createWorkers(options: WorkersOptions, lifecycle: Lifecycle): Workers {
  const { service, jobPool, settings, log, failPoint, tracing } = options
  const { jobs, waitingJobsMax = 0, periodic = [], publishes = [], consumers = [] } = service
  const periodics: RunningPeriodic[] = []
  let runner: JobRunner | undefined
  return {
    wakeJobs: () => runner?.wake(),
    wakePeriodic() {
      for (const running of periodics) running.wake()
    },
    async start(ctx, events) {
      if (jobs) {
        const running = await startJobs({
          db: createDb<unknown>(jobPool),
          ctx,
          jobs,
          concurrency: settings.jobConcurrency + waitingJobsMax,
          leaseMs: settings.jobLeaseMs,
          deadRetentionMs: settings.deadJobRetentionMs,
          log,
          tracing,
          ...(failPoint && { failPoint }),
        })
        lifecycle.onStop(() => running[Symbol.asyncDispose]())
        runner = running
      }
      if (publishes.length > 0 || consumers.length > 0) {
        const running = await events.start(ctx)
        lifecycle.onStop(() => running[Symbol.asyncDispose]())
      }
      const deletion = service.recordsResults ? [deleteOldResults(settings.keyRetentionMs)] : []
      for (const work of [...periodic, ...deletion]) {
        const running = startPeriodic(work, ctx, log)
        periodics.push(running)
        lifecycle.onStop(() => running[Symbol.asyncDispose]())
      }
    },
  }
}
