import { statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'

/** A deletion, and the last node of it that was told of. */
export type DeletionCursor = {
  deletedOn: string
  rootId: string
  createdOn: string
  seq: string
}

export type DeletedNode = {
  /** Null: nothing (more) of these types is at or below the root. */
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

export type ListedKind = Extract<
  NodeKind,
  'figure' | 'figure_revision' | 'asset' | 'asset_revision'
>

const itself = `
  (select r.id, r.created_on, r.seq from node r
    where root.type = any($8::text[]) and r.id = root.id
      and (r.created_on, r.seq) > (root.after_on, root.after_seq))`

/** Those of one type below a root of another: `place` says where, so that an index has them in order. */
const below = (root: NodeKind, type: ListedKind, place: string) => `
  (select r.id, r.created_on, r.seq from node r
    where root.type = '${root}' and '${type}' = any($8::text[]) and ${place} and r.type = '${type}'
      and (r.created_on, r.seq) > (root.after_on, root.after_seq)
    order by r.created_on, r.seq limit $6)`

const ofParent = 'r.parent_id = root.id'
const ofAnalysis = 'r.lineage[2] = root.id and cardinality(r.lineage) > 2'
const ofWorkspace = 'r.workspace_id = root.id'

// Root by root. A deletion that is not committed yet is older than its transaction: none is passed over.
const deleted = statement<DeletedNode>(`
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
          itself,
          below('figure', 'figure_revision', ofParent),
          below('asset', 'asset_revision', ofParent),
          below('analysis', 'figure', ofAnalysis),
          below('analysis', 'figure_revision', ofAnalysis),
          below('workspace', 'figure', ofWorkspace),
          below('workspace', 'figure_revision', ofWorkspace),
          below('workspace', 'asset', ofWorkspace),
          below('workspace', 'asset_revision', ofWorkspace),
        ].join(' union all ')}
      ) b order by b.created_on, b.seq limit $6
    ) r on true
   limit $6`)

/**
 * Nodes of these types at or below what was deleted before that time, from `after` on, with a row for each deletion
 * of which there is none: at most `limit` rows, of at most `rootsMax` deletions. By tombstone_deleted_idx,
 * node_pkey, node_children_idx, node_branch_idx and node_workspace_idx.
 */
export function listDeletedNodes(
  db: Db,
  kinds: ListedKind[],
  after: DeletionCursor,
  before: string,
  limit: number,
  rootsMax: number,
): Promise<DeletedNode[]> {
  const { deletedOn, rootId, createdOn, seq } = after
  return deleted(db, deletedOn, rootId, createdOn, seq, before, limit, rootsMax, kinds)
}
