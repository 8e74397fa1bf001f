import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Bell } from '../events/bell.js'
import type { FailPoint } from '../fail-points.js'
import { Idle } from '../idle.js'
import type { Logger } from '../log.js'
import { errorTypeOf } from '../tracing/error-type.js'
import { inScope, outOfScope, type Scope } from '../tracing/scope.js'
import type { Tracing } from '../tracing/span.js'
import { type Attempt, startAttempt } from './attempt.js'
import {
  buryJob,
  type Claimed,
  claimJobs,
  completeJob,
  failJob,
  type QueueDb,
  releaseJob,
} from './claims.js'
import { coalesced } from './coalesced.js'
import { type AnyJob, JobCanceled, JobFailedForGood, JobInterrupted } from './define.js'
import { beat, type LeaseTimes, leave, takeOver } from './lease.js'
import { createSchedules } from './schedules.js'

export type JobsOptions<Ctx> = LeaseTimes & {
  /** Sees the schema of the service. */
  db: QueueDb
  ctx: Ctx
  jobs: AnyJob<Ctx>[]
  /** How many jobs this process runs at a time. */
  concurrency: number
  log: Logger
  failPoint?: FailPoint
  tracing?: Tracing | undefined
}

export type JobRunner = AsyncDisposable & {
  /** There may be work: looks at once instead of at the next beat. */
  wake(): void
}

/** How soon cancellations are noticed; twice that, retries, schedules and what other workers enqueued. */
const beatMs = 500
/** A worker that is alone and has nothing to do notices within this time what is enqueued past it. */
const restMsMax = 15_000

/** Works on the queue until disposed: then running jobs see their signal, and are waited for. */
export async function startJobs<Ctx>(options: JobsOptions<Ctx>): Promise<JobRunner> {
  const { db, ctx, jobs, concurrency, log, failPoint, tracing } = options
  const worker = randomUUID()
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const running = new Map<bigint, Attempt>()
  const attempts = new Set<Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  const schedules = createSchedules(jobs)
  // Rings when this process has something to do.
  const bell = new Bell()
  const idle = new Idle(2 * beatMs, restMsMax)
  let isAlone = false
  let dueAt = Infinity
  let mayBeMore = false
  // One more when a claim begins, and when its jobs have begun.
  let claims = 0
  let seenAt = performance.now()

  const pause = () => sleep(beatMs, undefined, { signal }).catch(() => {})

  const fill = coalesced(async () => {
    const places = concurrency - running.size
    if (signal.aborted || places <= 0) {
      mayBeMore = true
      return
    }
    claims++
    try {
      const claimed = await claimJobs(db, worker, places, jobs)
      mayBeMore = claimed.length === places
      for (const row of claimed) begin(row)
    } finally {
      claims++
    }
  })

  // What enqueued a job does not wait for it.
  const wake = () => {
    bell.ring()
    outOfScope(fill).catch((err: unknown) => log.warn({ err }, 'the job queue was not reached'))
  }

  const begin = (row: Claimed) => {
    const job = byName.get(row.name)
    if (!job) throw new Error(`there is no job ${row.name}`)
    bell.ring()
    failPoint?.(`${job.name}.before`)
    const scope = scopeOf(row, tracing)
    const attempt = inScope(scope, () => startAttempt(job, ctx, row))
    running.set(row.id, attempt)
    const end = inScope(scope, () => finish(row, attempt)).then((error) => {
      scope.span?.end(error)
      running.delete(row.id)
      attempts.delete(end)
      if (mayBeMore || job.concurrencyMax !== undefined) wake()
    })
    attempts.add(end)
  }

  /** The kind of its failure, if it failed. */
  const finish = async (row: Claimed, attempt: Attempt) => {
    let error: string | undefined
    const settle = await attempt.ended.then(
      () => {
        failPoint?.(`${row.name}.after`)
        return () => completeJob(db, worker, row.id)
      },
      (err: unknown) => {
        error = errorTypeOf(err)
        bell.ring()
        return afterFailure(row, attempt.reason(), err)
      },
    )
    // While the database is away the job stays ours, or is taken over and run again.
    for (;;) {
      try {
        await settle()
        return error
      } catch (err) {
        log.warn({ err, job: row.name }, 'the end of a job was not noted down')
        if (signal.aborted) return error
        await pause()
      }
    }
  }

  const afterFailure = (
    { id, name, attempts, attempts_max }: Claimed,
    why: unknown,
    err: unknown,
  ) => {
    if (why instanceof JobInterrupted) return () => releaseJob(db, worker, id)
    if (why instanceof JobCanceled) return () => completeJob(db, worker, id)
    log.warn({ err, job: name, attempts, attemptsMax: attempts_max }, 'a job failed')
    const end = err instanceof JobFailedForGood ? buryJob : failJob
    return () => end(db, worker, id, err instanceof Error ? err.message : String(err))
  }

  const live = async (): Promise<void> => {
    const before = new Map(running)
    const claimsBefore = claims
    const { held, someoneDied, isWorkWaiting, dueInMs, ...seen } = await beat(db, worker, options)
    seenAt = performance.now()
    isAlone = seen.isAlone
    dueAt = dueInMs === undefined ? Infinity : seenAt + dueInMs
    for (const [id, attempt] of before) {
      const mine = held.get(id)
      if (!mine) attempt.abort(new JobInterrupted('another process took the job over'))
      else if (mine.canceled) attempt.abort(new JobCanceled('the job was canceled'))
    }
    if (claims === claimsBefore && claims % 2 === 0) {
      // Claimed, but the answer was lost.
      for (const id of held.keys()) if (!before.has(id)) await releaseJob(db, worker, id)
    }
    if (someoneDied) {
      const count = await takeOver(db, options.leaseMs)
      if (count > 0) {
        log.warn({ count }, 'took over the jobs of a process that died')
        return live()
      }
    }
    await schedules.enqueueDue(db)
    if (isWorkWaiting) await fill()
  }

  const rest = async () => {
    await pause()
    if (running.size > 0) return
    // Half as often while there is nothing to stop, and less often while nobody else enqueues.
    await pause()
    if (!isAlone || signal.aborted) return
    const restMs = Math.min(idle.next(), dueAt - performance.now(), schedules.nextInMs())
    if (restMs > 0 && (await bell.wait(restMs, signal))) idle.reset()
  }

  const liveOn = async () => {
    for (;;) {
      await rest()
      if (signal.aborted) return
      try {
        await live()
      } catch (err) {
        log.warn({ err }, 'the job queue was not reached')
        if (performance.now() - seenAt < options.leaseMs) continue
        for (const attempt of running.values()) {
          attempt.abort(new JobInterrupted('the database is away for longer than the lease'))
        }
      }
    }
  }

  await live()
  const living = liveOn()
  return {
    wake,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await fill().catch(() => {})
      for (const attempt of running.values()) attempt.abort(new JobInterrupted('the process stops'))
      await living
      await Promise.all(attempts)
      // Without it, others wait for the length of a lease.
      await leave(db, worker).catch(() => {})
    },
  }
}

/** A job is a part of what enqueued it; one that nothing traced enqueued begins a trace. */
function scopeOf(
  { name, attempts, request_id, traceparent }: Claimed,
  tracing: Tracing | undefined,
): Scope {
  const attributes = { 'figbase.job.name': name, 'figbase.job.attempt': attempts }
  const span = tracing?.begin(`job ${name}`, 'consumer', attributes, traceparent ?? undefined)
  return { requestId: request_id ?? '', span }
}
