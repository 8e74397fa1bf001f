import { type Executor, statement } from '@figbase/kit/db'

// Deletes comments without replies first, so that threads stay complete after each batch. The lateral join reads
// target by target; `offset 0` keeps the subquery a filter instead of a join with all comments.
const purged = statement<{ purged: number }>(`
  with old as materialized (
    select found.id from unnest($1::uuid[]) t (id) cross join lateral (
      select c.id from comment c
       where c.target_id = t.id and not exists (select from comment a where a.parent_id = c.id offset 0)
       limit $2
    ) found limit $2
  ), gone as (
    delete from comment c using old where c.id = old.id returning c.id
  )
  select count(*)::int as purged from gone`)

/**
 * Deletes up to `limit` comments without replies on these targets, with their reactions and mentions, and returns
 * their number; 0 when the targets have no comments left. Uses comment_target_idx and comment_parent_idx.
 */
export async function purgeComments(
  db: Executor,
  targetIds: string[],
  limit: number,
): Promise<number> {
  return (await purged(db, targetIds, limit))[0]?.purged ?? 0
}

const removed = statement<never>('delete from target where id = any($1::uuid[])')

export async function deleteTargets(db: Executor, ids: string[]): Promise<void> {
  await removed(db, ids)
}
