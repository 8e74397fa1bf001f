import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'

/** A deletion and its last listed node. */
export type DeletionCursor = {
  deletedOn: string
  rootId: string
  createdOn: string
  seq: string
}

/** A node with a tombstone of its own. */
export type DeletedRoot = { id: string; deleted_on: string }

export type DeletedNode = {
  /** Null: no (more) nodes of these types at or below the root. */
  id: string | null
  deleted_on: string
  root_id: string
  created_on: string
  seq: bigint
}

/** The cursor before all deletions. */
export const firstDeletion: DeletionCursor = {
  deletedOn: '1970-01-01 00:00:00+00',
  rootId: '00000000-0000-0000-0000-000000000000',
  createdOn: '1970-01-01 00:00:00+00',
  seq: '0',
}

export type ListedKind = Extract<
  NodeKind,
  'workspace' | 'analysis' | 'figure' | 'figure_revision' | 'asset' | 'asset_revision' | 'story'
>

const itself = `
  (select r.id, r.created_on, r.seq from node r
    where root.type = any(:kinds::text[]) and r.id = root.id
      and (r.created_on, r.seq) > (root.after_on, root.after_seq))`

/** SQL for the nodes of one type below a root of another type; `place` is a condition whose index is in order. */
const below = (root: NodeKind, type: ListedKind, place: string) => `
  (select r.id, r.created_on, r.seq from node r
    where root.type = '${root}' and '${type}' = any(:kinds::text[]) and ${place}
      and r.type = '${type}'
      and (r.created_on, r.seq) > (root.after_on, root.after_seq)
    order by r.created_on, r.seq limit :limit)`

const ofParent = 'r.parent_id = root.id'
const ofAnalysis = 'r.lineage[2] = root.id and cardinality(r.lineage) > 2'
const ofWorkspace = 'r.workspace_id = root.id'

type ClaimedPage = Pick<DeletionCursor, 'deletedOn' | 'rootId'> & {
  before: string | null
  retentionMs: number
  limit: number
}

// Stops before the start of the oldest running transaction, so that no uncommitted deletion is skipped. The update
// waits for rows that a restoration has locked, and finds them deleted.
const claimed = statement<DeletedRoot, ClaimedPage>(`
  with gone as materialized (
    select t.node_id as id, t.deleted_on
      from tombstone t
     where (t.deleted_on, t.node_id) >= (:deletedOn::timestamptz, :rootId::uuid)
       and t.deleted_on < least(:before::timestamptz, now() - :retentionMs::bigint * interval '1 ms', (
         select min(a.xact_start) - interval '1 s'
           from pg_stat_get_activity(pg_backend_pid()) me, pg_stat_get_activity(null) a
          where a.datid = me.datid and a.pid <> me.pid))
     order by t.deleted_on, t.node_id limit :limit
  ), marked as (
    update tombstone t set purge_began_on = now()
     where t.node_id = any(array(select g.id from gone g)) and t.purge_began_on is null
  )
  select g.id, g.deleted_on from gone g order by g.deleted_on, g.id`)

/**
 * Claims the deletions from the cursor on that are older than the retention and than `before`. Once this is
 * committed, none of them can be restored. A node that was restored meanwhile may be listed, but has no tombstone.
 * Uses tombstone_deleted_idx.
 */
export function claimDeletions(
  db: Db,
  { deletedOn, rootId }: DeletionCursor,
  before: string | null,
  retentionMs: number,
  limit: number,
): Promise<DeletedRoot[]> {
  return claimed(db, { deletedOn, rootId, before, retentionMs, limit })
}

type DeletedPage = Omit<DeletionCursor, 'deletedOn'> & {
  rootIds: string[]
  kinds: ListedKind[]
  limit: number
}

// Nodes in the order of their roots.
const deleted = statement<DeletedNode, DeletedPage>(`
  with root as materialized (
    select t.node_id as id, t.deleted_on, n.type,
           case when t.node_id = :rootId then :createdOn::timestamptz else '1970-01-01' end as after_on,
           case when t.node_id = :rootId then :seq::bigint else 0 end as after_seq
      from tombstone t join node n on n.id = t.node_id
     where t.node_id = any(:rootIds::uuid[]) and t.purge_began_on is not null
     order by t.deleted_on, t.node_id
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
          below('workspace', 'analysis', ofWorkspace),
          below('workspace', 'figure', ofWorkspace),
          below('workspace', 'figure_revision', ofWorkspace),
          below('workspace', 'asset', ofWorkspace),
          below('workspace', 'asset_revision', ofWorkspace),
          below('workspace', 'story', ofWorkspace),
        ].join(' union all ')}
      ) b order by b.created_on, b.seq limit :limit
    ) r on true
   limit :limit`)

/**
 * Nodes of these types at or below claimed deletions, from the cursor on, at most `limit` rows. A deletion without
 * such nodes has one row with a null id. Uses tombstone_pkey, node_pkey, node_children_idx, node_branch_idx and
 * node_workspace_idx.
 */
export function listDeletedNodes(
  db: Db,
  kinds: ListedKind[],
  { rootId, createdOn, seq }: DeletionCursor,
  roots: DeletedRoot[],
  limit: number,
): Promise<DeletedNode[]> {
  const rootIds = roots.map((root) => root.id)
  return deleted(db, { rootId, createdOn, seq, rootIds, kinds, limit })
}
