import { statement } from '@figbase/kit/db'
import type { Db } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'

const byDay = statement<{ day: string; count: number }>(`
  select (a.at at time zone 'utc')::date::text as day, count(*)::int as count from activity a
   where a.actor = $1 and not a.is_silent and not a.is_departure and a.actor_kind <> 'system'
     and a.at >= $2::timestamptz and ($3::uuid is null or a.workspace_id = $3)
   group by 1 order by 1`)

/** Visible entries of a user by day (UTC), without empty days. Uses activity_actor_idx. */
export function listContributions(
  db: Db,
  { username, onlyWorkspaceId }: Subject,
  since: string,
): Promise<{ day: string; count: number }[]> {
  return byDay(db, username, since, onlyWorkspaceId)
}
