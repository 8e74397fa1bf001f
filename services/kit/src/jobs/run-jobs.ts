import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FailPoint } from '../faults/fail-points.js'
import type { Logger } from '../log.js'
import { errorTypeOf } from '../scope/error-type.js'
import { inScope, outOfScope, type Scope } from '../scope/scope.js'
import type { Tracing } from '../scope/span.js'
import { PollInterval } from '../timing/poll-interval.js'
import { WakeSignal } from '../timing/wake-signal.js'
import { type Attempt, startAttempt } from './attempt.js'
import {
  type Claimed,
  claimJobs,
  completeAndClaim,
  completeJob,
  continueJob,
  failJob,
  killJob,
  type QueueDb,
  releaseJob,
} from './claims.js'
import { coalesced } from './coalesced.js'
import {
  type AnyJob,
  JobCanceled,
  JobFailedPermanently,
  JobInterrupted,
  type Rest,
} from './define.js'
import { heartbeat, type LeaseTimes, reclaimJobs, removeWorker } from './lease.js'
import { createSchedules } from './schedules.js'

export type JobsOptions<Ctx> = LeaseTimes & {
  /** Must have the service's search path. */
  db: QueueDb
  ctx: Ctx
  jobs: AnyJob<Ctx>[]
  /** Maximum number of concurrent jobs in this process. */
  concurrency: number
  log: Logger
  failPoint?: FailPoint
  tracing?: Tracing | undefined
}

export type JobRunner = AsyncDisposable & {
  /** Claims jobs now instead of with the next heartbeat. */
  wake(): void
}

/** Cancellations are noticed within this time; retries, schedules and jobs of other workers within twice that. */
const heartbeatMs = 500
/** Poll interval of an idle worker without peers. */
const idleMsMax = 40_000

/** Runs jobs until disposed; then it aborts the running jobs and waits for them. */
export async function startJobs<Ctx>(options: JobsOptions<Ctx>): Promise<JobRunner> {
  const { db, ctx, jobs, concurrency, log, failPoint, tracing } = options
  const worker = randomUUID()
  const claimer = { worker, leaseMs: options.leaseMs, jobs }
  const byName = new Map(jobs.map((job) => [job.name, job]))
  const running = new Map<bigint, Attempt>()
  const attempts = new Set<Promise<void>>()
  const stopping = new AbortController()
  const { signal } = stopping
  const schedules = createSchedules(jobs)
  // Notified when this process has work.
  const wakeSignal = new WakeSignal()
  const idleInterval = new PollInterval(2 * heartbeatMs, idleMsMax)
  let isAlone = false
  let nextDueAt = Infinity
  // Whether jobs may be waiting that no claim in progress will find.
  let mayHaveMore = false
  // Slots reserved by claims in progress.
  let reserved = 0
  let claimsStarted = 0
  let claimsEnded = 0
  let lastHeartbeatAt = performance.now()

  const pause = () => sleep(heartbeatMs, undefined, { signal }).catch(() => {})

  const freeSlots = () => concurrency - running.size - reserved

  /** Claims and starts jobs for all free slots, including that of `completed`. */
  const claim = async (completed?: Claimed) => {
    const free = freeSlots()
    const slots = completed ? free + 1 : free
    reserved += free
    const number = ++claimsStarted
    mayHaveMore = false
    try {
      const claimed = completed
        ? await completeAndClaim(db, claimer, completed, slots)
        : await claimJobs(db, claimer, slots)
      // Before the claimed jobs start: the completed one may be among them if it was enqueued again.
      if (completed) running.delete(completed.id)
      // Otherwise a later claim decides.
      if (claimed.length === slots && number === claimsStarted) mayHaveMore = true
      for (const row of claimed) begin(row)
    } catch (err) {
      mayHaveMore = true
      throw err
    } finally {
      reserved -= free
      claimsEnded++
    }
  }

  const fill = coalesced(async () => {
    if (signal.aborted || freeSlots() <= 0) {
      mayHaveMore = true
      return
    }
    await claim()
    claimIfPossible()
  })

  // Out of scope, because the operation that enqueued the job does not wait for it.
  const wake = () => {
    wakeSignal.notify()
    outOfScope(fill).catch((err: unknown) => log.warn({ err }, 'job queue unavailable'))
  }

  // Called when a slot became free, or a claim has ended during which another was needed.
  const claimIfPossible = () => {
    if (mayHaveMore && freeSlots() > 0) wake()
  }

  const begin = (row: Claimed) => {
    const job = byName.get(row.name)
    if (!job) throw new Error(`unknown job ${row.name}`)
    wakeSignal.notify()
    failPoint?.(`${job.name}.before`)
    const scope = scopeOf(row, tracing)
    const attempt = inScope(scope, () => startAttempt(job, ctx, row))
    running.set(row.id, attempt)
    const end = inScope(scope, () => finish(job, row, attempt)).then((error) => {
      scope.span?.end(error)
      if (running.get(row.id) === attempt) running.delete(row.id)
      attempts.delete(end)
      claimIfPossible()
    })
    attempts.add(end)
  }

  /** Records the end of an attempt; returns the kind of its failure, if any. */
  const finish = async (job: AnyJob<Ctx>, row: Claimed, attempt: Attempt) => {
    let error: string | undefined
    const settle = await attempt.ended.then(
      (more) => {
        failPoint?.(`${row.name}.after`)
        return () => (more ? continueLater(job, row, more) : complete(job, row))
      },
      (err: unknown) => {
        error = errorTypeOf(err)
        wakeSignal.notify()
        return afterFailure(job, row, attempt.reason(), err)
      },
    )
    // Retry while the database is unavailable; after the lease, the job may be taken over and run again.
    for (;;) {
      try {
        await settle()
        return error
      } catch (err) {
        log.warn({ err, job: row.name }, 'recording the end of a job failed')
        if (signal.aborted) return error
        await pause()
      }
    }
  }

  /** Completes a job; also claims with the same statement if a job may wait for its slot or for its end. */
  const complete = async ({ concurrencyMax }: AnyJob<Ctx>, row: Claimed) => {
    // A claim in progress may find more jobs than it has slots for.
    const isClaiming = claimsStarted > claimsEnded
    const mayClaim = mayHaveMore || isClaiming || concurrencyMax !== undefined
    if (mayClaim && !signal.aborted) await claim(row)
    else if (await completeJob(db, worker, row)) mayHaveMore = true
  }

  const continueLater = async (job: AnyJob<Ctx>, row: Claimed, { rest }: Rest<unknown>) => {
    if (!(await continueJob(db, worker, row, rest))) return complete(job, row)
    mayHaveMore = true
  }

  const afterFailure = (job: AnyJob<Ctx>, row: Claimed, reason: unknown, err: unknown) => {
    const { id, name, attempts, attempts_max } = row
    if (reason instanceof JobCanceled) return () => complete(job, row)
    if (!(reason instanceof JobInterrupted)) {
      log.warn({ err, job: name, attempts, attemptsMax: attempts_max }, 'job failed')
    }
    const end = err instanceof JobFailedPermanently ? killJob : failJob
    const message = err instanceof Error ? err.message : String(err)
    return async () => {
      if (reason instanceof JobInterrupted) await releaseJob(db, worker, id)
      else await end(db, worker, id, message)
      if (job.concurrencyMax !== undefined) mayHaveMore = true
    }
  }

  const keepLease = async (): Promise<void> => {
    const before = new Map(running)
    const endedBefore = claimsEnded
    const { claimed, hasDeadWorkers, hasWaitingJobs, dueInMs, ...seen } = await heartbeat(
      db,
      worker,
      options,
    )
    lastHeartbeatAt = performance.now()
    isAlone = seen.isAlone
    nextDueAt = dueInMs === undefined ? Infinity : lastHeartbeatAt + dueInMs
    for (const [id, attempt] of before) {
      const job = claimed.get(id)
      if (!job) attempt.abort(new JobInterrupted('another process took over the job'))
      else if (job.canceled) attempt.abort(new JobCanceled('the job was canceled'))
    }
    // Jobs claimed by a statement that lost its response; there was no claim in progress meanwhile.
    if (claimsStarted === endedBefore) {
      for (const id of claimed.keys()) if (!before.has(id)) await releaseJob(db, worker, id)
    }
    if (hasDeadWorkers) {
      const count = await reclaimJobs(db, options.leaseMs)
      if (count > 0) {
        log.warn({ count }, 'took over the jobs of a dead worker process')
        return keepLease()
      }
    }
    await schedules.enqueueDue(db)
    if (hasWaitingJobs) await fill()
  }

  const waitForHeartbeat = async () => {
    await pause()
    if (running.size > 0) return
    // Heartbeats are rarer without running jobs, and even rarer without other workers.
    await pause()
    if (!isAlone || signal.aborted) return
    const idleMs = Math.min(
      idleInterval.next(),
      nextDueAt - performance.now(),
      schedules.nextInMs(),
    )
    if (idleMs > 0 && (await wakeSignal.wait(idleMs, signal))) idleInterval.reset()
  }

  const heartbeatLoop = async () => {
    for (;;) {
      await waitForHeartbeat()
      if (signal.aborted) return
      try {
        await keepLease()
      } catch (err) {
        log.warn({ err }, 'job queue unavailable')
        if (performance.now() - lastHeartbeatAt < options.leaseMs) continue
        for (const attempt of running.values()) {
          attempt.abort(new JobInterrupted('database unavailable for longer than the lease'))
        }
      }
    }
  }

  await keepLease()
  const heartbeats = heartbeatLoop()
  return {
    wake,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await fill().catch(() => {})
      // A completing job may just have claimed others.
      const stopped = new JobInterrupted('process is shutting down')
      while (attempts.size > 0) {
        for (const attempt of running.values()) attempt.abort(stopped)
        await Promise.race(attempts)
      }
      await heartbeats
      // Otherwise the lease would have to expire before others take over.
      await removeWorker(db, worker).catch(() => {})
    },
  }
}

/** The scope of a job: it continues the request and trace that enqueued it, or begins a trace. */
function scopeOf(
  { name, attempts, request_id, traceparent }: Claimed,
  tracing: Tracing | undefined,
): Scope {
  const attributes = { 'figbase.job.name': name, 'figbase.job.attempt': attempts }
  const span = tracing?.begin(`job ${name}`, 'consumer', attributes, traceparent ?? undefined)
  return { requestId: request_id ?? '', span }
}
