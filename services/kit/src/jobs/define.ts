/** Name and queue options of a job: enough to enqueue it. Its handler is defined with `defineJob`. */
export type JobName<Payload> = {
  name: string
  attemptsMax: number
  /** Lower runs first; default 0. */
  priority?: number
  /** Never set; carries the type of the payload. */
  payload?: Payload
}

/**
 * A background job, retried with backoff until it succeeds or its attempts are exhausted. It must be idempotent,
 * because it may run twice: its worker's lease may expire, or its worker may die before completion is recorded.
 */
export type Job<Ctx, Payload> = JobName<Payload> & {
  /** Timeout of an attempt; its signal is then aborted and the attempt fails. */
  timeoutMs: number
  /** Maximum concurrency across all processes; unlimited by default. */
  concurrencyMax?: number
  /** When to enqueue it automatically: once, whatever the number of processes. */
  schedule?: { cron: string; payload: Payload }
  /**
   * Must end soon after its signal was aborted, with reason `JobTimedOut`, `JobCanceled` or `JobInterrupted`.
   * `attempt` counts from 1. A job with much work ends early and returns the rest, for which it waits in turn.
   */
  run(
    ctx: Ctx,
    payload: Payload,
    signal: AbortSignal,
    attempt: number,
  ): Promise<Rest<Payload> | undefined> | Promise<void>
}

/** The payload of the next turn of a job. */
export type Rest<Payload> = { rest: Payload }

// The payload's type matters where a job is defined and enqueued, not where jobs are listed.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyJob<Ctx> = Job<Ctx, any>

export function defineJob<Ctx, Payload>(job: Job<Ctx, Payload>): Job<Ctx, Payload> {
  return job
}

/** The attempt timed out. */
export class JobTimedOut extends Error {
  override name = 'JobTimedOut'
}

/** Thrown by a job that cannot succeed: it becomes dead without further attempts. */
export class JobFailedPermanently extends Error {
  override name = 'JobFailedPermanently'
}

/** The job was canceled and is not retried. */
export class JobCanceled extends Error {
  override name = 'JobCanceled'
}

/** The process shuts down or lost its lease; the job runs again, here or elsewhere. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted'
}
