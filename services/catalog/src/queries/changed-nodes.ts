import { type Cursor, statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import type { Subject } from '../domain/subject.js'
import {
  alive,
  type Caller,
  type ListedNode,
  listedColumns,
  summedColumns,
  sums,
} from './node-sql.js'
import { memberRoots, visibleShares } from './visible-roots.js'

/** A node with the time of its creation or of its last update, whichever is later. */
export type ChangedNode = ListedNode & { changed_on: string }

type ChangedPage = Caller & { type: NodeKind; updatedAfter: string; limit: number }

// Nodes that were updated are read from one index, the others from another.
const found = (where: string, later: (time: string) => string) => `
  (select n.id, n.created_on as changed_on, n.seq from node n
    where ${where} and n.type = :type and n.updated_on is null
      and n.created_on > :updatedAfter::timestamptz and ${alive} ${later('n.created_on')}
    order by n.created_on, n.seq limit :limit)
  union all
  (select n.id, n.updated_on, n.seq from node n
    where ${where} and n.type = :type and n.updated_on > :updatedAfter::timestamptz
      and ${alive} ${later('n.updated_on')}
    order by n.updated_on, n.seq limit :limit)`

const changedPage = <Values extends ChangedPage>(later: (time: string) => string) =>
  statement<ChangedNode, Values>(`
    with workspace as materialized (${memberRoots('workspace')}), shared as materialized (${visibleShares}),
    page as materialized (
      select f.* from workspace root cross join lateral (${found('n.workspace_id = root.id', later)}) f
      union
      select f.* from shared root
       cross join lateral (
         ${found('n.workspace_id = root.workspace_id and root.id = any(n.lineage)', later)}
       ) f
      order by changed_on, seq limit :limit
    )
    select page.changed_on, ${listedColumns}, ${summedColumns}
      from page join node n on n.id = page.id ${sums}
     order by page.changed_on, n.seq`)

const first = changedPage<ChangedPage>(() => '')
const next = changedPage<ChangedPage & Cursor>(
  (time) => `and (${time}, n.seq) > (:createdOn::timestamptz, :seq::bigint)`,
)

/**
 * The nodes of one type that the caller can view as a member or by a share, and that were created or updated
 * themselves later than `updatedAfter`, in the order of these times. The cost depends on the changed nodes of their
 * workspaces, not on all nodes. Uses node_workspace_idx and node_updated_idx.
 */
export function listChanged(
  db: Db,
  type: NodeKind,
  { username, onlyWorkspaceId }: Subject,
  updatedAfter: string,
  limit: number,
  after?: Cursor,
): Promise<ChangedNode[]> {
  const page = { username, onlyWorkspaceId, type, updatedAfter, limit }
  if (!after) return first(db, page)
  return next(db, { ...page, ...after })
}
