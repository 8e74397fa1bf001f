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
 * Enqueues dead jobs with all their attempts, unless a newer job has their name and key. Without an id, all. Returns the
 * number of those found.
 */
export async function replayDeadJobs(
  db: QueryExecutorProvider,
  id: bigint | null = null,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    with gone as (
      delete from job where state = 'dead' and (${id}::bigint is null or id = ${id}) returning *
    ), replayed as (
      insert into job (name, key, payload, workspace_id, priority, turn, state, run_at, attempts_max,
                       request_id, traceparent)
      select name, key, payload, workspace_id, priority, (select last_value from job_turn),
             'waiting', now(), attempts_max, request_id, traceparent from gone
      on conflict (name, key) where key is not null and state <> 'dead' do nothing
    )
    select count(*)::int as count from gone`.execute(db)
  return rows[0]?.count ?? 0
}

/** Without an id, all. Returns the number of those found. */
export async function deleteDeadJobs(
  db: QueryExecutorProvider,
  id: bigint | null = null,
): Promise<number> {
  const gone = await sql`
    delete from job where state = 'dead' and (${id}::bigint is null or id = ${id})`.execute(db)
  return Number(gone.numAffectedRows ?? 0)
}
