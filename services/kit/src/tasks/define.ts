import type { Executor } from '../db/statement.js'
import type { Job, JobName } from '../jobs/define.js'
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

/** What a task is called: enough to start it. Its work may stand elsewhere (`defineTaskJob`). */
export type TaskName<Payload> = JobName<Payload> & {
  /** What kind of task its user sees. */
  type: string
}

export type TaskJob<Ctx, Payload> = Pick<Job<Ctx, Payload>, 'timeoutMs' | 'concurrencyMax'> & {
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

// With the growing delay of the queue, three days in which the outcome is reported.
const reportAttemptsMax = 25

/** A task as the queue has it: after its attempts it may still be about its outcome. */
export const queuedTask = <Payload>({
  name,
  attemptsMax,
  priority = 0,
}: TaskName<Payload>): JobName<TaskPayload<Payload>> => ({
  name,
  attemptsMax: attemptsMax + reportAttemptsMax,
  priority,
})

/** A background job whose user follows it; begun with `startTask`, to be listed in `jobs`. */
export function defineTaskJob<Ctx extends TaskCtx, Payload>(
  task: TaskName<Payload>,
  job: TaskJob<Ctx, NoInfer<Payload>>,
): Job<Ctx, TaskPayload<Payload>> {
  const { run: _, ...limits } = job
  const queued = queuedTask(task)
  return {
    ...queued,
    ...limits,
    run: (ctx, payload, signal, attempt) => {
      const enqueueOutcome = (record: TaskRecord, outcome: Outcome) =>
        ctx.enqueue(ctx.db, queued, { task: record, outcome }, { key: record.id })
      return runTask({ job: { ...task, ...job }, ctx, signal, attempt, enqueueOutcome }, payload)
    },
  }
}
