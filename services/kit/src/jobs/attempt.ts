import type { Claimed } from './claims.js'
import { type AnyJob, JobTimedOut, type Rest } from './define.js'

// After this time, a job that ignores its signal has failed, although its work may continue.
const abortGraceMs = 5000

export type Attempt = {
  abort(reason: Error): void
  /** The reason of the abort, if any. */
  reason(): unknown
  /** Resolves with the rest, if the job has more to do. Rejects if it failed, or did not end after an abort. */
  ended: Promise<Rest<unknown> | undefined>
}

/** Runs one attempt of a job, with its timeout. */
export function startAttempt<Ctx>(
  job: AnyJob<Ctx>,
  ctx: Ctx,
  { payload, attempts }: Pick<Claimed, 'payload' | 'attempts'>,
): Attempt {
  const aborting = new AbortController()
  const { signal } = aborting
  const timers: NodeJS.Timeout[] = []
  const abortIgnored = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      timers.push(setTimeout(() => reject(signal.reason), abortGraceMs))
    })
  })
  const timedOut = new JobTimedOut(`job ${job.name} timed out after ${job.timeoutMs} ms`)
  timers.push(setTimeout(() => aborting.abort(timedOut), job.timeoutMs))
  const run = async () => (await job.run(ctx, payload, signal, attempts)) ?? undefined
  let isOver = false
  const ended = Promise.race([run(), abortIgnored]).finally(() => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
  })
  const abort = (reason: Error) => {
    if (!isOver) aborting.abort(reason)
  }
  return { abort, reason: () => signal.reason, ended }
}
