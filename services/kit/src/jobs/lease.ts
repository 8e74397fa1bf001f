import { sql } from 'kysely'
import { statement } from '../db/statement.js'
import { failed, type QueueDb } from './claims.js'

export type Beat = {
  /** The jobs that are still this worker's, and whether somebody canceled them. */
  held: Map<bigint, { canceled: boolean }>
  /** Whether there are workers that were not seen for the length of a lease. */
  someoneDied: boolean
  isWorkWaiting: boolean
  /** No other worker is alive. */
  isAlone: boolean
  /** When the next job is due that waits for its time; undefined: none waits. */
  dueInMs: number | undefined
}

export type LeaseTimes = {
  /** How long a worker may be silent before others take its jobs. */
  leaseMs: number
  /** How long dead jobs are kept. */
  deadRetentionMs: number
}

const batch = 1000

type Row = {
  held: { id: string; canceled: boolean }[]
  someone_died: boolean
  is_work_waiting: boolean
  is_alone: boolean
  due_in_ms: number | null
}

const beaten = statement<Row>(`
  with alive as (
    insert into job_worker (id, seen_on) values ($1, now())
    on conflict (id) do update set seen_on = excluded.seen_on
  ), due as (
    -- Turns are taken afresh: who waited for a retry does not come before everyone else.
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
                     from job where state = 'running' and worker = $1), '[]') as held,
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
         -- Nothing here is missed when the server loses it.
         set_config('synchronous_commit', 'off', true) as synchronous_commit`)

/**
 * One statement, twice a second while jobs run: says that this worker lives, makes due what was delayed, removes
 * dead jobs that are too old, and answers what the worker has to know.
 */
export async function beat(
  db: QueueDb,
  worker: string,
  { leaseMs, deadRetentionMs }: LeaseTimes,
): Promise<Beat> {
  const [row] = await beaten(db, worker, leaseMs, deadRetentionMs)
  if (!row) throw new Error('the queue did not answer')
  return {
    held: new Map(row.held.map(({ id, canceled }) => [BigInt(id), { canceled }])),
    someoneDied: row.someone_died,
    isWorkWaiting: row.is_work_waiting,
    isAlone: row.is_alone,
    dueInMs: row.due_in_ms ?? undefined,
  }
}

/** Ends the attempts of workers that died; answers how many there were. Their silence was the delay. */
export async function takeOver(db: QueueDb, leaseMs: number): Promise<number> {
  const waited = sql`interval '1 millisecond' * ${leaseMs}`
  await sql`delete from job_worker where seen_on < now() - ${waited}`.execute(db)
  const orphaned = sql`state = 'running' and not exists (select from job_worker where id = worker)`
  const canceled = await sql`delete from job where ${orphaned} and canceled and not again`.execute(
    db,
  )
  const freed = await sql`
    update job set ${failed('the process that ran it died', waited)} where ${orphaned}`.execute(db)
  return Number(canceled.numAffectedRows ?? 0n) + Number(freed.numAffectedRows ?? 0n)
}

/** Takes the worker off the list: what it still holds is free for others at once. */
export async function leave(db: QueueDb, worker: string): Promise<void> {
  await sql`delete from job_worker where id = ${worker}`.execute(db)
}
