import { type QueryExecutorProvider, sql } from 'kysely'

/** A job whose attempts are used up: kept for an operator. Times as PostgreSQL writes them. */
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

/** Oldest first, after `after`; `db` sees the schema of the service. Served by job_dead_idx. */
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
 * Gives it all its attempts again; whether it was there. A newer job with its name and key takes its
 * place.
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

/** Whether it was there. */
export async function deleteDeadJob(db: QueryExecutorProvider, id: bigint): Promise<boolean> {
  const gone = await sql`delete from job where id = ${id} and state = 'dead'`.execute(db)
  return Boolean(gone.numAffectedRows)
}
