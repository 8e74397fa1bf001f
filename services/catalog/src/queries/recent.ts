import { statement } from '@figbase/kit/db'
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

type RecentPage = { type: NodeKind; limit: number }

// Takes the newest of three kinds of activity from their indexes, plus the deltas that are not folded yet. Together
// they contain the most recently active nodes.
const latestIn = (workspace: string) => `
    (select n.id from node n
      where n.workspace_id = ${workspace} and n.type = :type and ${alive}
      order by n.created_on desc, n.seq desc limit :limit)
    union
    (select n.id from node n
      where n.workspace_id = ${workspace} and n.type = :type and n.updated_on is not null and ${alive}
      order by n.updated_on desc, n.seq desc limit :limit)
    union
    (select n.id from node_stat s join node n on n.id = s.node_id
      where s.workspace_id = ${workspace} and s.type = :type and s.child_updated_on is not null
        and n.workspace_id = ${workspace} and ${alive}
      order by s.child_updated_on desc limit :limit)
    union
    (select n.id from node_delta x join node n on n.id = x.node_id
      where x.workspace_id = ${workspace} and n.workspace_id = ${workspace} and n.type = :type and ${alive})`

const newestFirst = `
  select ${listedColumns}, ${summedColumns} from latest l join node n on n.id = l.id ${sums}
   order by greatest(n.created_on, n.updated_on, s.child_updated_on, d.at) desc, n.seq desc limit :limit`

const recent = statement<ListedNode, RecentPage & { workspaceId: string }>(`
  with latest as materialized (${latestIn(':workspaceId')}) ${newestFirst}`)

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
  return recent(db, { workspaceId, type, limit })
}

/** SQL for the workspaces of which the caller is a member, as `workspace`. Uses access_grant_pkey and node_organization_idx. */
export const memberWorkspaces = `
  member as materialized (
    select g.node_id as id from access_grant g where g.subject = :username and g.kind = 'member'
  ), workspace as (
    select m.id from member m where :onlyWorkspaceId::uuid is null or m.id = :onlyWorkspaceId
    union
    select w.id from member m join node w on w.organization_id = m.id
     where :onlyWorkspaceId::uuid is null or w.id = :onlyWorkspaceId
  )`

const recentOfMember = statement<ListedNode, RecentPage & Caller>(`
  with ${memberWorkspaces}, latest as materialized (
    select f.id from workspace root cross join lateral (${latestIn('root.id')}) f
  ) ${newestFirst}`)

/** The same in all workspaces of which the caller is a member. */
export function listRecentOfMember(
  db: Db,
  { username, onlyWorkspaceId }: Subject,
  type: NodeKind,
  limit: number,
): Promise<ListedNode[]> {
  return recentOfMember(db, { username, onlyWorkspaceId, type, limit })
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
