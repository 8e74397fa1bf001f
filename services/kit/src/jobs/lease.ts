import { sql } from 'kysely'
import { statement } from '../db/statement.js'
import { failedSql, type QueueDb } from './claims.js'

export type Heartbeat = {
  /** The jobs that this worker still holds, and whether they were canceled. */
  claimed: Map<bigint, { canceled: boolean }>
  /** Whether the lease of another worker has expired. */
  hasDeadWorkers: boolean
  hasWaitingJobs: boolean
  /** Whether no other worker has a valid lease. */
  isAlone: boolean
  /** Time until the next delayed job is due; undefined without delayed jobs. */
  dueInMs: number | undefined
}

export type LeaseTimes = {
  /** Time without a heartbeat after which others take over the jobs of a worker. */
  leaseMs: number
  /** Retention of dead jobs. */
  deadRetentionMs: number
}

const batch = 1000

type Row = {
  claimed: { id: string; canceled: boolean }[]
  someone_died: boolean
  is_work_waiting: boolean
  is_alone: boolean
  due_in_ms: number | null
}

const heartbeatRow = statement<Row>(`
  with alive as (
    insert into job_worker (id, seen_on) values ($1, now())
    on conflict (id) do update set seen_on = excluded.seen_on
  ), due as (
    -- New turns are assigned, so that retries do not overtake all other jobs.
    update job
       set state = 'waiting', turn = (select last_value from job_turn) + next.place
      from (select id, case when workspace_id is null then 0
              else row_number() over (partition by workspace_id order by run_at) - 1 end as place
              from (select id, workspace_id, run_at from job
                     where state = 'delayed' and run_at <= now()
                     order by run_at limit ${batch} for update skip locked) as locked
           ) as next
     where job.id = next.id
    returning job.id
  ), expired as (
    delete from job
     where id in (select id from job
                   where state = 'dead'
                     and ended_on < now() - interval '1 millisecond' * $3
                   order by ended_on limit ${batch})
  )
  select coalesce((select json_agg(json_build_object('id', id::text, 'canceled', canceled))
                     from job where state = 'running' and worker = $1), '[]') as claimed,
         exists (select from job_worker where seen_on < now() - interval '1 millisecond' * $2 and id <> $1)
           or exists (select from job where state = 'running' and worker <> $1
                         and not exists (select from job_worker where id = job.worker))
           as someone_died,
         exists (select from due) or exists (select from job where state = 'waiting')
           as is_work_waiting,
         not exists (select from job_worker
                      where seen_on >= now() - interval '1 millisecond' * $2 and id <> $1) as is_alone,
         (select ceil(extract(epoch from min(run_at) - now()) * 1000)::float8 from job
           where state = 'delayed' and run_at > now()) as due_in_ms,
         -- A heartbeat may be lost in a crash of the server.
         set_config('synchronous_commit', 'off', true) as synchronous_commit`)

/**
 * Sent twice a second while jobs run, as one statement: renews the lease, makes delayed jobs due, deletes expired
 * dead jobs, and returns the state of the queue.
 */
export async function heartbeat(
  db: QueueDb,
  worker: string,
  { leaseMs, deadRetentionMs }: LeaseTimes,
): Promise<Heartbeat> {
  const [row] = await heartbeatRow(db, worker, leaseMs, deadRetentionMs)
  if (!row) throw new Error('the heartbeat returned no row')
  return {
    claimed: new Map(row.claimed.map(({ id, canceled }) => [BigInt(id), { canceled }])),
    hasDeadWorkers: row.someone_died,
    hasWaitingJobs: row.is_work_waiting,
    isAlone: row.is_alone,
    dueInMs: row.due_in_ms ?? undefined,
  }
}

/** Fails the attempts of workers with expired leases; returns their number. The lease counts towards the retry delay. */
export async function reclaimJobs(db: QueueDb, leaseMs: number): Promise<number> {
  const waited = sql`interval '1 millisecond' * ${leaseMs}`
  await sql`delete from job_worker where seen_on < now() - ${waited}`.execute(db)
  const orphaned = sql`state = 'running' and not exists (select from job_worker where id = worker)`
  const canceled = await sql`delete from job where ${orphaned} and canceled and not again`.execute(
    db,
  )
  const freed = await sql`
    update job set ${failedSql('worker process died', waited)} where ${orphaned}`.execute(db)
  return Number(canceled.numAffectedRows ?? 0n) + Number(freed.numAffectedRows ?? 0n)
}

/** Removes the worker, so that others can take over its remaining jobs at once. */
export async function removeWorker(db: QueueDb, worker: string): Promise<void> {
  await sql`delete from job_worker where id = ${worker}`.execute(db)
}
