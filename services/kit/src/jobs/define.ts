/** What a job is called: enough to enqueue it. Its work may stand elsewhere (`defineJob`). */
export type JobName<Payload> = {
  name: string
  attemptsMax: number
  /** Lower goes first; 0 without one. */
  priority?: number
  /** Never there: it says what type the payload has. */
  payload?: Payload
}

/**
 * A background job: run again with a growing delay until it succeeds or its attempts are used up.
 * It may run twice (its worker was believed dead, or died before it could say that it was done):
 * effects are idempotent.
 */
export type Job<Ctx, Payload> = JobName<Payload> & {
  /** How long an attempt may take; then its signal is aborted and it has failed. */
  timeoutMs: number
  /** How many may run at a time in all processes together; without it, as many as there are places. */
  concurrencyMax?: number
  /** When it is enqueued by itself: once, however many processes there are. */
  schedule?: { cron: string; payload: Payload }
  /**
   * Ends soon after its signal was aborted; the reason says why: `JobTimedOut`, `JobCanceled`,
   * `JobInterrupted`. `attempt` counts from 1.
   */
  run(ctx: Ctx, payload: Payload, signal: AbortSignal, attempt: number): Promise<void>
}

// The payload's type matters where a job is defined and enqueued, not where jobs are listed.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type AnyJob<Ctx> = Job<Ctx, any>

export function defineJob<Ctx, Payload>(job: Job<Ctx, Payload>): Job<Ctx, Payload> {
  return job
}

/** The attempt took longer than its job allows. */
export class JobTimedOut extends Error {
  override name = 'JobTimedOut'
}

/** Thrown by a job that no further attempt would help: it is dead at once. */
export class JobFailedForGood extends Error {
  override name = 'JobFailedForGood'
}

/** Nobody wants the result any more; the job is not run again. */
export class JobCanceled extends Error {
  override name = 'JobCanceled'
}

/** The process stops, or is believed dead: the job is run again, here or elsewhere. */
export class JobInterrupted extends Error {
  override name = 'JobInterrupted'
}
