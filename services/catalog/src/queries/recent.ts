import { statement } from '@figbase/kit'
import type { Db, NodeKind } from '../db/schema.js'
import { alive, type ListedNode, listedColumns, summedColumns, sums } from './nodes.js'

// Three kinds of activity, each with its index, and what is not folded yet: whatever was active last is
// among the last of its kind.
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
 * Of one type in a workspace, what was active last comes first; of the same time, what was made
 * last. Served by node_workspace_idx, node_updated_idx, node_stat_recent_idx, node_delta_workspace_idx.
 */
export function listRecent(
  db: Db,
  workspaceId: string,
  type: NodeKind,
  limit: number,
): Promise<ListedNode[]> {
  return recent(db, workspaceId, type, limit)
}

const shown = "('analysis', 'figure', 'asset', 'story')"

const active = statement<{ count: number }>(`
  select least(count(*), $3)::int as count from (
    (select n.id from node n
      where n.workspace_id = $1 and n.type in ${shown} and n.created_on >= $2::timestamptz
        and ${alive} limit $3)
    union
    (select n.id from node n
      where n.workspace_id = $1 and n.type in ${shown} and n.updated_on >= $2::timestamptz
        and ${alive} limit $3)
    union
    (select n.id from node_stat s join node n on n.id = s.node_id
      where s.workspace_id = $1 and s.type in ${shown} and s.child_updated_on >= $2::timestamptz
        and n.workspace_id = $1 and ${alive} limit $3)
    union
    (select n.id from node_delta x join node n on n.id = x.node_id
      where x.workspace_id = $1 and x.at >= $2::timestamptz and n.workspace_id = $1
        and n.type in ${shown} and ${alive})
  ) found`)

/** How many objects of a workspace were active since then, counted up to a bound; by the same indexes. */
export async function countActive(
  db: Db,
  workspaceId: string,
  since: string,
  countMax: number,
): Promise<number> {
  return (await active(db, workspaceId, since, countMax))[0]?.count ?? 0
}
