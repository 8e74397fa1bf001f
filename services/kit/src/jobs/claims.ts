import { type Kysely, type RawBuilder, sql } from 'kysely'
import { statement } from '../db/statement.js'
import type { AnyJob } from './define.js'

// The queue's tables are in every schema that has jobs; no service's types know them.
export type QueueDb = Kysely<unknown>

export type Claimed = {
  id: bigint
  name: string
  payload: unknown
  attempts: number
  attempts_max: number
  /** Of what enqueued it. */
  request_id: string | null
  traceparent: string | null
}

// 1 s after the first attempt, twice as long after each; scattered, so that not all come back at once.
const backoff = sql`least(interval '6 hours', interval '1 second' * 2.0 ^ (attempts - 1)) * (0.5 + random() / 2)`

const usedUp = sql`attempts >= attempts_max`

/** What a failed attempt makes of its row; `waited` is a part of the delay that has passed. */
export const failed = (
  error: string,
  waited: RawBuilder<unknown> = sql`interval '0'`,
  isOver: RawBuilder<unknown> = usedUp,
) => sql`
  state = case when again then 'waiting' when ${isOver} then 'dead' else 'delayed' end,
  ended_on = case when again or not ${isOver} then null else now() end,
  run_at = now() + ${backoff} - ${waited}, attempts = case when again then 0 else attempts end,
  error = ${error}, again = false, canceled = false, worker = null`

type ClaimValues = { worker: string; places: number; names: string[]; limits: (number | null)[] }

// Its worker may have rested for longer than a lease: whoever holds a job is alive.
const claimed = statement<Claimed, ClaimValues>(`
  with alive as (
    insert into job_worker (id, seen_on) values (:worker, now())
    on conflict (id) do update set seen_on = excluded.seen_on
  )
  select id, name, payload, attempts, attempts_max, request_id, traceparent
    from claim_jobs(:worker, :places, :names, :limits)`)

/** At most `places` jobs, now this worker's: in order of priority, workspaces in turn. */
export function claimJobs<Ctx>(
  db: QueueDb,
  worker: string,
  places: number,
  jobs: AnyJob<Ctx>[],
): Promise<Claimed[]> {
  const names = jobs.map((job) => job.name)
  const limits = jobs.map((job) => job.concurrencyMax ?? null)
  return claimed(db, { worker, places, names, limits })
}

const done = statement<{ id: bigint }>(`
  delete from job where id = $2 and worker = $1 and not again returning id`)
const wantedAgain = statement<never>(`
  update job set state = 'waiting', attempts = 0, error = null, again = false, canceled = false,
                 worker = null
   where id = $2 and worker = $1`)

/** The job is done: it goes, unless it was enqueued again meanwhile. */
export async function completeJob(db: QueueDb, worker: string, id: bigint): Promise<void> {
  const gone = await done(db, worker, id)
  if (gone.length === 0) await wantedAgain(db, worker, id)
}

/** To be run again later, or dead when its attempts are used up. */
export const failJob = (db: QueueDb, worker: string, id: bigint, error: string): Promise<void> =>
  putBack(db, worker, id, failed(error))

/** Dead, however many attempts are left. */
export const buryJob = (db: QueueDb, worker: string, id: bigint, error: string): Promise<void> =>
  putBack(db, worker, id, failed(error, undefined, sql`true`))

/** Back into the queue as if it had not been begun. */
export const releaseJob = (db: QueueDb, worker: string, id: bigint): Promise<void> =>
  putBack(db, worker, id, released)

const released = sql`
  state = 'waiting', attempts = attempts - 1, again = false, canceled = false, worker = null`

/** Unless it was canceled: then it goes, too. */
async function putBack(db: QueueDb, worker: string, id: bigint, changes: RawBuilder<unknown>) {
  await sql`
    with gone as (
      delete from job where id = ${id} and worker = ${worker} and canceled and not again
    )
    update job set ${changes}
     where id = ${id} and worker = ${worker} and (again or not canceled)`.execute(db)
}
