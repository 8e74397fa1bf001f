import { type QueryExecutorProvider, sql } from 'kysely'

/** A job that failed permanently, kept for an operator. Times are PostgreSQL's text. */
export type DeadJob = {
  id: bigint
  name: string
  key: string | null
  payload: unknown
  attempts: number
  error: string
  created_on: string
  ended_on: string
}

/** Lists dead jobs, oldest first, with ids above `after`; `db` must have the service's search path. By job_dead_idx. */
export async function listDeadJobs(
  db: QueryExecutorProvider,
  limit: number,
  after: bigint = 0n,
): Promise<DeadJob[]> {
  const { rows } = await sql<DeadJob>`
    select id, name, key, payload, attempts, error, created_on, ended_on from job
     where state = 'dead' and id > ${after} order by id limit ${limit}`.execute(db)
  return rows
}

/**
 * Enqueues a dead job with all its attempts, unless a newer job has its name and key. Returns whether it was
 * found.
 */
export async function replayDeadJob(db: QueryExecutorProvider, id: bigint): Promise<boolean> {
  const { rows } = await sql<{ id: bigint }>`
    with gone as (delete from job where id = ${id} and state = 'dead' returning *), replayed as (
      insert into job (name, key, payload, workspace_id, priority, turn, state, run_at, attempts_max,
                       request_id, traceparent)
      select name, key, payload, workspace_id, priority, (select last_value from job_turn),
             'waiting', now(), attempts_max, request_id, traceparent from gone
      on conflict (name, key) where key is not null and state <> 'dead' do nothing
    )
    select id from gone`.execute(db)
  return rows.length > 0
}

/** Returns whether it was found. */
export async function deleteDeadJob(db: QueryExecutorProvider, id: bigint): Promise<boolean> {
  const gone = await sql`delete from job where id = ${id} and state = 'dead'`.execute(db)
  return Boolean(gone.numAffectedRows)
}
