import type { Executor } from '../db/statement.js'
import type { Job, JobName } from '../jobs/define.js'
import type { Enqueue } from '../jobs/queue.js'
import type { Logger } from '../log.js'
import type { Tasks } from './client.js'
import type { Outcome } from './report.js'
import { runTask } from './run-task.js'

/** Handle by which a job reports to its user. Nothing here waits: reports are sent a few times a second. */
export type TaskHandle = {
  id: string
  /** Counts from 1. */
  attempt: number
  /** Also aborted when the user cancels the task (`TaskRevoked`). Pass it to everything that may take long. */
  signal: AbortSignal
  /** 0 to 100; never decreases. */
  progress(percent: number, message?: string): void
  /** Appends the lines of the text to the log. */
  log(text: string): void
  /** Replaces the detail; serialized as JSON. */
  detail(value: unknown): void
}

/** Name and options of a task: enough to start it. Its handler is defined with `defineTaskJob`. */
export type TaskName<Payload> = JobName<Payload> & {
  /** The type that its user sees. */
  type: string
}

export type TaskJob<Ctx, Payload> = Pick<Job<Ctx, Payload>, 'timeoutMs' | 'concurrencyMax'> & {
  /**
   * Returns the result of the task. An error ends the attempt: a `TaskFailed` is not retried and the user sees its
   * message; other errors are shown as a generic failure.
   */
  run(ctx: Ctx, payload: Payload, task: TaskHandle): Promise<unknown>
  /** Called in place of `run` if the task must not run: it was cancelled, or each attempt crashed the process. */
  skip?(ctx: Ctx, payload: Payload): Promise<void>
}

/** The task's record, which its job opens if it does not exist yet. */
export type TaskRecord = { id: string; name: string; type: string; owner: string }

/** The payload of the job: the work, or an outcome still to be reported. */
export type TaskPayload<Payload> = { task: TaskRecord } & (
  | { payload: Payload }
  | { outcome: Outcome }
)

/** The part of a service's context that tasks need. */
export type TaskCtx = {
  tasks: Tasks
  db: Executor
  enqueue: Enqueue
  log: Logger
}

// With the queue's backoff, attempts to report the outcome for three days.
const reportAttemptsMax = 25

/** The job of a task, with further attempts to report its outcome. */
export const queuedTask = <Payload>({
  name,
  attemptsMax,
  priority = 0,
}: TaskName<Payload>): JobName<TaskPayload<Payload>> => ({
  name,
  attemptsMax: attemptsMax + reportAttemptsMax,
  priority,
})

/** Defines a background job that its user can follow; started with `startTask`, to be listed in `jobs`. */
export function defineTaskJob<Ctx extends TaskCtx, Payload>(
  task: TaskName<Payload>,
  job: TaskJob<Ctx, NoInfer<Payload>>,
): Job<Ctx, TaskPayload<Payload>> {
  const { timeoutMs, concurrencyMax } = job
  const queued = queuedTask(task)
  return {
    ...queued,
    timeoutMs,
    ...(concurrencyMax !== undefined && { concurrencyMax }),
    run: (ctx, payload, signal, attempt) => {
      const enqueueOutcome = (record: TaskRecord, outcome: Outcome) =>
        ctx.enqueue(ctx.db, queued, { task: record, outcome }, { key: record.id })
      return runTask({ job: { ...task, ...job }, ctx, signal, attempt, enqueueOutcome }, payload)
    },
  }
}
