import { statement } from '@figbase/kit'
import type { Db } from '../db/schema.js'

/** A deletion, and the last revision below it that was told of. */
export type DeletionCursor = {
  deletedOn: string
  rootId: string
  createdOn: string
  seq: string
}

export type DeletedRevision = {
  /** Null: nothing (more) is below the root. */
  id: string | null
  deleted_on: string
  root_id: string
  created_on: string
  seq: bigint
}

/** Before all of them. */
export const firstDeletion: DeletionCursor = {
  deletedOn: '1970-01-01 00:00:00+00',
  rootId: '00000000-0000-0000-0000-000000000000',
  createdOn: '1970-01-01 00:00:00+00',
  seq: '0',
}

const revisionsWhere = (types: string, place: string) => `
  (select r.id, r.created_on, r.seq from node r
    where root.type ${types} and ${place} and (r.created_on, r.seq) > (root.after_on, root.after_seq)
    order by r.created_on, r.seq limit $6)`

// Root by root. A deletion that is not committed yet is older than its transaction: none is passed over.
const deleted = statement<DeletedRevision>(`
  with gone as materialized (
    select t.node_id as id, t.deleted_on
      from tombstone t
     where (t.deleted_on, t.node_id) >= ($1::timestamptz, $2::uuid)
       and t.deleted_on < least($5::timestamptz, (
         select min(a.xact_start) - interval '1 s'
           from pg_stat_get_activity(pg_backend_pid()) me, pg_stat_get_activity(null) a
          where a.datid = me.datid and a.pid <> me.pid))
     order by t.deleted_on, t.node_id limit $7
  ), root as materialized (
    select g.id, g.deleted_on, n.type,
           case when g.id = $2 then $3::timestamptz else '1970-01-01' end as after_on,
           case when g.id = $2 then $4::bigint else 0 end as after_seq
      from gone g join node n on n.id = g.id
     order by g.deleted_on, g.id
  )
  select r.id, root.deleted_on, root.id as root_id, coalesce(r.created_on, root.after_on) as created_on,
         coalesce(r.seq, root.after_seq) as seq
    from root
    left join lateral (
      select b.id, b.created_on, b.seq from (
        ${[
          revisionsWhere(`in ('figure_revision', 'asset_revision')`, 'r.id = root.id'),
          revisionsWhere(`= 'figure'`, `r.parent_id = root.id and r.type = 'figure_revision'`),
          revisionsWhere(`= 'asset'`, `r.parent_id = root.id and r.type = 'asset_revision'`),
          revisionsWhere(
            `= 'analysis'`,
            `r.lineage[2] = root.id and cardinality(r.lineage) > 2 and r.type = 'figure_revision'`,
          ),
          revisionsWhere(
            `= 'workspace'`,
            `r.workspace_id = root.id and r.type = 'figure_revision'`,
          ),
          revisionsWhere(`= 'workspace'`, `r.workspace_id = root.id and r.type = 'asset_revision'`),
        ].join(' union all ')}
      ) b order by b.created_on, b.seq limit $6
    ) r on true
   limit $6`)

/**
 * Revisions at or below what was deleted before that time, from `after` on, with a row for each deletion below
 * which there is none: at most `limit` rows, of at most `rootsMax` deletions. By tombstone_deleted_idx, node_pkey,
 * node_children_idx, node_branch_idx and node_workspace_idx.
 */
export function listDeletedRevisions(
  db: Db,
  after: DeletionCursor,
  before: string,
  limit: number,
  rootsMax: number,
): Promise<DeletedRevision[]> {
  const { deletedOn, rootId, createdOn, seq } = after
  return deleted(db, deletedOn, rootId, createdOn, seq, before, limit, rootsMax)
}
