import { type AnyJob, JobTimedOut } from './define.js'

// For a job that does not heed its signal; its work goes on, but no longer counts.
const obeyMs = 5000

export type Attempt = {
  abort(reason: Error): void
  /** Why it was aborted, if it was. */
  reason(): unknown
  /** Rejects when the job failed, or did not end although it was aborted. */
  ended: Promise<void>
}

/** Runs a job once, with its timeout. */
export function startAttempt<Ctx>(job: AnyJob<Ctx>, ctx: Ctx, payload: unknown): Attempt {
  const aborting = new AbortController()
  const { signal } = aborting
  const timers: NodeJS.Timeout[] = []
  const disobeyed = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => {
      timers.push(setTimeout(() => reject(signal.reason), obeyMs))
    })
  })
  const timedOut = new JobTimedOut(`${job.name} took more than ${job.timeoutMs} ms`)
  timers.push(setTimeout(() => aborting.abort(timedOut), job.timeoutMs))
  const run = async () => job.run(ctx, payload, signal)
  let isOver = false
  const ended = Promise.race([run(), disobeyed]).finally(() => {
    isOver = true
    for (const timer of timers) clearTimeout(timer)
  })
  const abort = (reason: Error) => {
    if (!isOver) aborting.abort(reason)
  }
  return { abort, reason: () => signal.reason, ended }
}
