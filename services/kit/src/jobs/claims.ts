import { type Kysely, type RawBuilder, sql } from 'kysely'
import { statement } from '../db/statement.js'
import type { AnyJob } from './define.js'

// The queue's tables exist in every schema with jobs, but not in the services' table types.
export type QueueDb = Kysely<unknown>

export type Claimed = {
  id: bigint
  name: string
  payload: unknown
  attempts: number
  attempts_max: number
  created_on: string
  /** Request and trace that enqueued it. */
  request_id: string | null
  traceparent: string | null
}

// 1 s after the first attempt, doubled after each, with jitter.
const backoff = sql`least(interval '6 hours', interval '1 second' * 2.0 ^ (attempts - 1)) * (0.5 + random() / 2)`

const attemptsExhausted = sql`attempts >= attempts_max`

/** SQL assignments for the row of a failed attempt; `waited` is the part of the delay that has already passed. */
export const failedSql = (
  error: string,
  waited: RawBuilder<unknown> = sql`interval '0'`,
  isExhausted: RawBuilder<unknown> = attemptsExhausted,
) => sql`
  state = case when again then 'waiting' when ${isExhausted} then 'dead' else 'delayed' end,
  ended_on = case when again or not ${isExhausted} then null else now() end,
  run_at = now() + ${backoff} - ${waited}, attempts = case when again then 0 else attempts end,
  error = ${error}, again = false, canceled = false, worker = null`

/** The claiming worker and its jobs. */
export type Claimer<Ctx> = { worker: string; leaseMs: number; jobs: AnyJob<Ctx>[] }

type ClaimValues = {
  worker: string
  leaseMs: number
  names: string[]
  limits: (number | null)[]
  slots: number
}

/**
 * Claims jobs, and renews the worker's lease unless a heartbeat has just done so: the worker may have been idle for
 * longer than a lease. The database's clock decides, because the clock of a process stands still while its machine
 * sleeps.
 */
const claimSql = (call: string) => `
  with alive as (
    insert into job_worker (id, seen_on)
    select :worker::uuid, now()
     where not exists (select from job_worker
                        where id = :worker::uuid
                          and seen_on > now() - interval '1 millisecond' * :leaseMs / 4)
    on conflict (id) do update set seen_on = excluded.seen_on
  )
  select id, name, payload, attempts, attempts_max, created_on, request_id, traceparent
    from ${call}`

const claimed = statement<Claimed, ClaimValues>(
  claimSql('claim_jobs(:worker, :slots, :names, :limits)'),
)
const completedAndClaimed = statement<Claimed, ClaimValues & CompletedJob>(
  claimSql('complete_and_claim(:worker, :id, :created_on, :slots, :names, :limits)'),
)

const valuesOf = <Ctx>({ jobs, ...claimer }: Claimer<Ctx>, slots: number): ClaimValues => ({
  ...claimer,
  names: jobs.map((job) => job.name),
  limits: jobs.map((job) => job.concurrencyMax ?? null),
  slots,
})

/** Claims at most `slots` jobs, by priority and with workspaces in turn. */
export const claimJobs = <Ctx>(
  db: QueueDb,
  claimer: Claimer<Ctx>,
  slots: number,
): Promise<Claimed[]> => claimed(db, valuesOf(claimer, slots))

/** Identifies a run: a job that was enqueued again meanwhile keeps its id but gets a new `created_on`. */
export type CompletedJob = Pick<Claimed, 'id' | 'created_on'>

const completed = statement<{ again: boolean }>('select complete_job($1, $2, $3) as again')

/** Deletes a completed job, unless it was enqueued again meanwhile: then it waits, and true is returned. */
export async function completeJob(
  db: QueueDb,
  worker: string,
  { id, created_on }: CompletedJob,
): Promise<boolean> {
  const [row] = await completed(db, worker, id, created_on)
  return row?.again === true
}

// Its turn comes after those of all other jobs, and after all jobs of its workspace.
const continued = statement<{ id: bigint }>(`
  update job
     set state = 'waiting', attempts = 0, error = null, worker = null, created_on = now(),
         payload = case when again then payload else $4::json end, again = false,
         turn = greatest(turn + 1, (select last_value from job_turn),
           (select max(j.turn) + 1 from job j where j.workspace_id = job.workspace_id and j.state <> 'dead'))
   where id = $1 and worker = $2 and created_on = $3 and not canceled
  returning id`)

/** Puts a job back with the payload of its next turn. Returns false if it was canceled, or is no longer held. */
export async function continueJob(
  db: QueueDb,
  worker: string,
  { id, created_on }: CompletedJob,
  rest: unknown,
): Promise<boolean> {
  return (await continued(db, id, worker, created_on, JSON.stringify(rest))).length > 0
}

/** Completes a job and claims others with one statement; `slots` includes that of the completed job. */
export const completeAndClaim = <Ctx>(
  db: QueueDb,
  claimer: Claimer<Ctx>,
  { id, created_on }: CompletedJob,
  slots: number,
): Promise<Claimed[]> => completedAndClaimed(db, { ...valuesOf(claimer, slots), id, created_on })

/** Schedules a retry, or marks the job dead if its attempts are exhausted. */
export const failJob = (db: QueueDb, worker: string, id: bigint, error: string): Promise<void> =>
  putBack(db, worker, id, failedSql(error))

/** Marks the job dead, however many attempts are left. */
export const killJob = (db: QueueDb, worker: string, id: bigint, error: string): Promise<void> =>
  putBack(db, worker, id, failedSql(error, undefined, sql`true`))

/** Returns the job to the queue as if it had not been claimed. */
export const releaseJob = (db: QueueDb, worker: string, id: bigint): Promise<void> =>
  putBack(db, worker, id, releasedSql)

const releasedSql = sql`
  state = 'waiting', attempts = attempts - 1, again = false, canceled = false, worker = null`

/** Updates the job, or deletes it if it was canceled. */
async function putBack(db: QueueDb, worker: string, id: bigint, changes: RawBuilder<unknown>) {
  await sql`
    with gone as (
      delete from job where id = ${id} and worker = ${worker} and canceled and not again
    )
    update job set ${changes}
     where id = ${id} and worker = ${worker} and (again or not canceled)`.execute(db)
}
