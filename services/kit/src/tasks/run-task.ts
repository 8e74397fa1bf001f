import { TaskStatus } from '@figbase/proto/tasks'
import { JobCanceled, JobInterrupted, JobTimedOut } from '../jobs/define.js'
import { withDeadline } from '../timing/with-deadline.js'
import { isFinal, withRetries } from './client.js'
import type { TaskCtx, TaskHandle, TaskJob, TaskName, TaskPayload, TaskRecord } from './define.js'
import { TaskFailed, TaskRevoked } from './errors.js'
import { createReporter, lineOf, type Outcome, type Report, wellFormed } from './report.js'

type Run<Ctx, Payload> = {
  job: TaskName<Payload> & TaskJob<Ctx, Payload>
  ctx: Ctx
  signal: AbortSignal
  attempt: number
  /** Enqueues the job once more to report the outcome. */
  enqueueOutcome(task: TaskRecord, outcome: Outcome): Promise<void>
}

/** How long to try to report an outcome before it is enqueued. */
const settleMs = 5000

const wentWrong = 'something went wrong on the server'

/** Runs one attempt of a task, including the reports of its start and its outcome. */
export async function runTask<Ctx extends TaskCtx, Payload>(
  run: Run<Ctx, Payload>,
  queued: TaskPayload<Payload>,
): Promise<void> {
  const { job, ctx, signal, attempt } = run
  const { task } = queued
  if ('outcome' in queued) return reportOutcome(run, task, queued.outcome)
  if (attempt > job.attemptsMax) {
    const error = `${wentWrong}: its process ended, or it did not stop in time`
    await job.skip?.(ctx, queued.payload)
    return settle(run, task, { status: TaskStatus.FAILURE, error })
  }
  if (await isOver(run, task)) return job.skip?.(ctx, queued.payload)

  const revoked = new AbortController()
  const revoke = () => revoked.abort(new TaskRevoked('the task was cancelled'))
  using _watch = ctx.tasks.revocations.watch(task.id, revoke)
  const reporter = createReporter((report) => ctx.tasks.report(task, report), revoke, ctx.log)
  const handle: TaskHandle = {
    id: task.id,
    attempt,
    signal: AbortSignal.any([signal, revoked.signal]),
    progress: (percent, message) =>
      reporter.note({
        progressPercent: Math.floor(Math.min(100, Math.max(0, percent))) || 0,
        ...(message !== undefined && { statusMessage: wellFormed(message) }),
      }),
    log: reporter.log,
    detail: (value) => reporter.note({ detailJson: JSON.stringify(value ?? null) }),
  }
  const work = async () => successOf(await job.run(ctx, queued.payload, handle))
  const ended = await work().then(
    (outcome) => ({ outcome, err: undefined }),
    (err: unknown) => ({
      outcome: revoked.signal.aborted ? undefined : outcomeOf(run, task, err),
      err,
    }),
  )
  const unsent = await reporter.stop()
  if (revoked.signal.aborted) return
  if (ended.outcome) return settle(run, task, ended.outcome, unsent)
  const how = signal.reason instanceof JobInterrupted ? 'was interrupted' : 'failed'
  unsent.logs = [...(unsent.logs ?? []), lineOf(`[attempt ${attempt} ${how}]`)]
  await ctx.tasks.report(task, unsent).catch(() => {})
  throw ended.err
}

function successOf(result: unknown): Outcome {
  const resultJson = JSON.stringify(result)
  return { status: TaskStatus.SUCCESS, ...(resultJson !== undefined && { resultJson }) }
}

/** Reports the start. Returns true if the task is already finished, for example canceled: then it must not run. */
async function isOver<Ctx extends TaskCtx, Payload>(run: Run<Ctx, Payload>, task: TaskRecord) {
  const { job, ctx, signal, attempt } = run
  const again = [lineOf(`[attempt ${attempt} of ${job.attemptsMax}]`)]
  const report = { status: TaskStatus.STARTED, logs: attempt > 1 ? again : [] }
  const { isFinished } = await withRetries(() => ctx.tasks.report(task, report), signal)
  return isFinished
}

/** Undefined: it is retried. */
function outcomeOf<Ctx extends TaskCtx, Payload>(
  { job, ctx, signal, attempt }: Run<Ctx, Payload>,
  task: TaskRecord,
  err: unknown,
): Outcome | undefined {
  if (err instanceof TaskFailed) {
    return { status: TaskStatus.FAILURE, error: wellFormed(err.message) }
  }
  const { reason } = signal
  if (reason instanceof JobInterrupted) return undefined
  if (reason instanceof JobCanceled) return { status: TaskStatus.REVOKED }
  if (attempt < job.attemptsMax) return undefined
  ctx.log.error({ err, job: job.name, task: task.id }, 'task failed')
  const error = reason instanceof JobTimedOut ? 'it took too long' : wentWrong
  return { status: TaskStatus.FAILURE, error }
}

/** Reports the outcome, or enqueues it if the tasks service is unavailable. */
async function settle<Ctx extends TaskCtx, Payload>(
  run: Run<Ctx, Payload>,
  task: TaskRecord,
  outcome: Outcome,
  unsent: Report = {},
) {
  try {
    await reportOutcome(run, task, outcome, unsent)
  } catch (err) {
    run.ctx.log.warn({ err, task: task.id }, 'task outcome enqueued for a later report')
    await run.enqueueOutcome(task, outcome)
  }
}

async function reportOutcome<Ctx extends TaskCtx, Payload>(
  { ctx, signal }: Run<Ctx, Payload>,
  task: TaskRecord,
  outcome: Outcome,
  unsent: Report = {},
) {
  const until = performance.now() + settleMs
  const send = (report: Report & Outcome) =>
    withDeadline(signal, Math.max(0, until - performance.now()), (deadline) =>
      withRetries(() => ctx.tasks.report(task, report), deadline),
    )
  try {
    await send({ ...unsent, ...outcome })
  } catch (err) {
    if (!isFinal(err)) throw err
    // The result or detail may be too large: the task must end all the same.
    ctx.log.error({ err, task: task.id }, 'task outcome rejected')
    const { resultJson: _, ...rest } = outcome
    const isResult = outcome.status === TaskStatus.SUCCESS && outcome.resultJson !== undefined
    await send(isResult ? { status: TaskStatus.FAILURE, error: wentWrong } : rest)
  }
}
