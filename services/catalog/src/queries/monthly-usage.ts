import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import { alive } from './node-sql.js'

type Container = { id: string; type: 'organization' | 'workspace' }

const activitiesBy = (column: string) =>
  statement<{ period: string; activities: bigint }>(`
    select to_char(a.at at time zone 'utc', 'YYYY-MM') as period, count(*) as activities from activity a
     where a.${column} = $1 and not a.is_silent and a.at >= $2::timestamptz
     group by 1`)

const activities = {
  organization: activitiesBy('organization_id'),
  workspace: activitiesBy('workspace_id'),
}

/** The visible entries of the log by month, without empty months. Uses the index of the log column. */
export const countByMonth = (db: Db, { id, type }: Container, since: string) =>
  activities[type](db, id, since)

const stored = statement<{ period: string; bytes: bigint }>(`
  select m.period, sum(m.bytes)::bigint as bytes from stored_month m
   where m.workspace_id = any(array(
           select n.id from node n where (n.id = $1 or n.organization_id = $1) and ${alive}))
     and m.period >= $2
   group by m.period`)

/** The most that the workspaces of a holder stored in each month. Uses stored_month_pkey. */
export const listStoredByMonth = (db: Db, { id }: Container, since: string) => stored(db, id, since)

const recorded = statement<
  { last: string | null },
  { period: string; after: string; limit: number }
>(`
  with page as (
    select n.id, n.size_bytes + coalesce(s.size_bytes, 0) as bytes, ${alive} as is_alive
      from node n left join node_stat s on s.node_id = n.id
     where n.type = 'workspace' and n.id > :after order by n.id limit :limit
  ), stored as (
    insert into stored_month as m (workspace_id, period, bytes)
    select p.id, :period, p.bytes from page p
     where p.is_alive and p.bytes > coalesce(
       (select x.bytes from stored_month x where x.workspace_id = p.id and x.period = :period), 0)
    on conflict on constraint stored_month_pkey do update set bytes = greatest(m.bytes, excluded.bytes)
  ), removed as (
    delete from stored_month where workspace_id = any(array(
      select p.id from page p
       where not p.is_alive and (select t.purge_began_on from tombstone t where t.node_id = p.id) is not null))
  )
  select (array_agg(p.id order by p.id desc))[1] as last from page p`)

/**
 * Records what the next workspaces store now, if it is more than before in the month, and removes what is known of those
 * that cannot be restored. Returns the last one; null after the last one. Uses node_is_workspace_idx.
 */
export async function recordStored(
  db: Db,
  page: { period: string; after: string; limit: number },
): Promise<string | null> {
  return (await recorded(db, page))[0]?.last ?? null
}
