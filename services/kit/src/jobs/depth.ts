import { type Executor, statement } from '../db/statement.js'

/** Due and dead jobs of a name; each count is capped at 10,000. */
export type JobDepth = { name: string; waiting: number; oldestSeconds: number; dead: number }

const countedMax = 10_000

// By job_waiting_idx, and one of those of dead jobs.
const depths = statement<JobDepth>(`
  with dead as materialized (
    select name, count(*)::int as count
      from (select name from job where state = 'dead' limit ${countedMax}) as kept
     group by name
  )
  select job_name.name, queue.waiting, queue.oldest as "oldestSeconds", coalesce(dead.count, 0) as dead
    from unnest($1::text[]) as job_name (name)
    cross join lateral (
      select count(*)::int as waiting,
             greatest(coalesce(extract(epoch from now() - min(run_at)), 0), 0)::float8 as oldest
        from (select run_at from job
               where state = 'waiting' and name = job_name.name
               order by priority, turn, id limit ${countedMax}) as next
    ) as queue
    left join dead on dead.name = job_name.name`)

/** Reads the depths of these jobs with one query. */
export const readJobDepths = (db: Executor, names: string[]): Promise<JobDepth[]> =>
  depths(db, names)
