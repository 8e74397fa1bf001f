import type { Executor } from '../db/statement.js'
import type { Job } from '../jobs/define.js'
import type { Enqueue } from '../jobs/queue.js'
import type { Logger } from '../log.js'
import type { Tasks } from './client.js'
import type { Outcome } from './report.js'
import { runTask } from './run-task.js'

/** What a job does for its user to see. Nothing here waits: reports are sent a few times a second. */
export type TaskHandle = {
  id: string
  /** Counts from 1. */
  attempt: number
  /** Aborted when the user cancels, too (`TaskRevoked`); to be passed to whatever takes long. */
  signal: AbortSignal
  /** 0 to 100; never goes back. */
  progress(percent: number, message?: string): void
  /** Each line of the text becomes one of the log. */
  log(text: string): void
  /** Replaces the last one; serialised as JSON. */
  detail(value: unknown): void
}

export type TaskJob<Ctx, Payload> = Omit<Job<Ctx, Payload>, 'run' | 'schedule'> & {
  /** What kind of task its user sees. */
  type: string
  /**
   * What it returns is the result of the task. What it throws ends this attempt: the user sees the
   * message of a `TaskFailed`, which is not tried again, and of others that something went wrong.
   */
  run(ctx: Ctx, payload: Payload, task: TaskHandle): Promise<unknown>
}

/** The record that a job opens if it is not there yet. */
export type TaskRecord = { id: string; name: string; type: string; owner: string }

/** What is enqueued: the work, or an outcome that is still to be reported. */
export type TaskPayload<Payload> = { task: TaskRecord } & (
  | { payload: Payload }
  | { outcome: Outcome }
)

/** What a task needs of the context of its service. */
export type TaskCtx = {
  tasks: Tasks
  db: Executor
  enqueue: Enqueue
  log: Logger
}

export type DefinedTaskJob<Ctx, Payload> = Job<Ctx, TaskPayload<Payload>> & { type: string }

// With the growing delay of the queue, three days in which the outcome is reported.
const reportAttemptsMax = 25

/** A background job whose user follows it; begun with `startTask`, to be listed in `jobs`. */
export function defineTaskJob<Ctx extends TaskCtx, Payload>(
  job: TaskJob<Ctx, Payload>,
): DefinedTaskJob<Ctx, Payload> {
  const { type, run: _, ...queued } = job
  const defined: DefinedTaskJob<Ctx, Payload> = {
    ...queued,
    type,
    attemptsMax: job.attemptsMax + reportAttemptsMax,
    run: (ctx, payload, signal, attempt) => {
      const enqueueOutcome = (task: TaskRecord, outcome: Outcome) =>
        ctx.enqueue(ctx.db, defined, { task, outcome }, { key: task.id })
      return runTask({ job, ctx, signal, attempt, enqueueOutcome }, payload)
    },
  }
  return defined
}
