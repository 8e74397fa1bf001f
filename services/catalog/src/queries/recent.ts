import { statement } from '@figbase/kit/db'
import type { Db, NodeKind } from '../db/schema.js'
import { alive, type ListedNode, listedColumns, summedColumns, sums } from './node-sql.js'

// Takes the newest of three kinds of activity from their indexes, plus the deltas that are not folded yet. Together
// they contain the most recently active nodes.
const recent = statement<ListedNode>(`
  with latest as materialized (
    (select n.id from node n
      where n.workspace_id = $1 and n.type = $2 and ${alive}
      order by n.created_on desc, n.seq desc limit $3)
    union
    (select n.id from node n
      where n.workspace_id = $1 and n.type = $2 and n.updated_on is not null and ${alive}
      order by n.updated_on desc, n.seq desc limit $3)
    union
    (select n.id from node_stat s join node n on n.id = s.node_id
      where s.workspace_id = $1 and s.type = $2 and s.child_updated_on is not null
        and n.workspace_id = $1 and ${alive}
      order by s.child_updated_on desc limit $3)
    union
    (select n.id from node_delta x join node n on n.id = x.node_id
      where x.workspace_id = $1 and n.workspace_id = $1 and n.type = $2 and ${alive})
  )
  select ${listedColumns}, ${summedColumns} from latest l join node n on n.id = l.id ${sums}
   order by greatest(n.created_on, n.updated_on, s.child_updated_on, d.at) desc, n.seq desc limit $3`)

/**
 * The nodes of one type in a workspace, most recently active first, then newest first. Uses node_workspace_idx,
 * node_updated_idx, node_stat_recent_idx and node_delta_workspace_idx.
 */
export function listRecent(
  db: Db,
  workspaceId: string,
  type: NodeKind,
  limit: number,
): Promise<ListedNode[]> {
  return recent(db, workspaceId, type, limit)
}

const countedTypes = "('analysis', 'figure', 'asset', 'story')"

const active = statement<{ count: number }>(`
  select least(count(*), $3)::int as count from (
    (select n.id from node n
      where n.workspace_id = $1 and n.type in ${countedTypes} and n.created_on >= $2::timestamptz
        and ${alive} limit $3)
    union
    (select n.id from node n
      where n.workspace_id = $1 and n.type in ${countedTypes} and n.updated_on >= $2::timestamptz
        and ${alive} limit $3)
    union
    (select n.id from node_stat s join node n on n.id = s.node_id
      where s.workspace_id = $1 and s.type in ${countedTypes} and s.child_updated_on >= $2::timestamptz
        and n.workspace_id = $1 and ${alive} limit $3)
    union
    (select n.id from node_delta x join node n on n.id = x.node_id
      where x.workspace_id = $1 and x.at >= $2::timestamptz and n.workspace_id = $1
        and n.type in ${countedTypes} and ${alive})
  ) found`)

/** The number of nodes of a workspace with activity since then, up to `countMax`. Uses the same indexes. */
export async function countActive(
  db: Db,
  workspaceId: string,
  since: string,
  countMax: number,
): Promise<number> {
  return (await active(db, workspaceId, since, countMax))[0]?.count ?? 0
}
